"""Stop words: function words and question words of each language.

The lists are Snowball's, from bm25s. Missing question words and languages are added here.
"""

from __future__ import annotations

from functools import lru_cache

from backtrail.language.current_language import ENGLISH
from backtrail.language.scripts import normalised


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words(
    """a an the of in on at to by for with from into and or but not nor so as than then that this these those it
    its he she they them his her hers their theirs him is was were are am be been being do does did done has
    have had having which who whom whose what when where why how many much also there here if while during about
    between after before s t can could will would shall should may might must i you we me my your our us any
    some all each both no yes one name named called tell list find give show"""
)
"""Of English: they carry no constraint that a component could satisfy."""

_LISTS = {
    "da": "DANISH", "de": "GERMAN", "es": "SPANISH", "fr": "FRENCH", "it": "ITALIAN", "nl": "DUTCH",
    "no": "NORWEGIAN", "pt": "PORTUGUESE", "ru": "RUSSIAN", "sv": "SWEDISH", "tr": "TURKISH",
}  # fmt: skip

_ADDED = {
    "de": """wann wer wem wen wessen warum weshalb wieso woher wohin womit wodurch wofür woran worin wieviel wieviele
        welch heißt heißen hieß gibt gab es bitte nenne nennen habt hätte hätten wurde wurden worden geworden ware wäre
        wären bzw sowie dabei dafür dagegen davon daran darauf daraus darin darüber hat's beim ans aufs""",
    "fr": """quel quelle quels quelles où quand comment pourquoi combien quoi dont lequel laquelle lesquels lesquelles
        cette cet ceci cela ça si plus moins très aussi ainsi donc comme sans sous entre vers chez lors lorsque depuis
        pendant être avoir fait faire peut doit quelqu aujourd hui afin car ni or dès jusqu puisque""",
    "es": """cuál cuáles cuándo cuánto cuánta cuántos cuántas cómo dónde quién quiénes cuyo cuya cuyos cuyas así si
        según hacia bajo tras mediante cada ese aquel aquella aquello aquellos aquellas ser puede pueden debe""",
    "it": """cosa quando dove quali quanto quanta quanti quante perché come sotto sopra tra fra anche essere avere""",
    "pt": """qual quais quando onde quem quanto quanta quantos quantas porquê por que como cujo cuja cada ser pode""",
    "nl": """wie wat waar wanneer waarom hoe hoeveel welke welk wiens welk""",
    "sv": """vem vad var när varför hur vilken vilket vilka vems""",
    "da": """hvem hvad hvor hvornår hvorfor hvordan hvilken hvilket hvilke hvis""",
    "no": """hvem hva hvor når hvorfor hvordan hvilken hvilket hvilke""",
    "ru": """какие каких каким какими какого какому какое какую сколько почему откуда который которая которое которые
        которого которой которых котором которым которыми кого кому кем чему ком это эта этих этим этими этому свой
        своя своё свои своего своей своих также является являются были сама само сами либо""",
    "tr": """kimin hangisi hangileri kaç ne zaman nedir midir""",
    "ar": """في من إلى على عن مع هذا هذه ذلك تلك هؤلاء التي الذي الذين اللذان اللتان ما ماذا متى أين كيف لماذا لم
        لن لا هل كم أي أية أيها كان كانت يكون تكون كانوا ليس ليست هو هي هم هن نحن أنا أنت أنتم و أو ثم أم لكن بل إن
        أن إذا إذ كل بعض غير بين قبل بعد عند عندما حتى منذ خلال حول دون فوق تحت قد لقد كما حيث لدى أيضا فيه فيها منه
        منها به بها له لها عليه عليها إليه إليها وهو وهي وكان وكانت وفي ومن وما ولا يتم تم""",
    "el": """ο η το οι τα του της των τον την τους τις ένας μία ένα και ή να με σε από για στο στη στην στον στα στις
        στους που πως ποιος ποια ποιο ποιοι ποιες πότε πού τι γιατί πόσο πόσα πόσοι πόσες είναι ήταν έχει είχε δεν μη
        θα ως αν αλλά όταν όπως αυτό αυτή αυτός""",
    "fi": """ja on ei se hän he ne tämä tuo mikä mitä missä milloin miksi miten kuka kuinka oli olivat ovat että kun
        jos tai joka jotka myös mutta kuin minkä kenen montako""",
    "hu": """a az és egy hogy nem is ez ki mi hol mikor miért hogyan mennyi hány melyik milyen volt van de vagy ha mint
        csak már meg el""",
    "pl": """i w na z do się nie że jest to o jak za od po przez dla co kto gdzie kiedy dlaczego ile który która które
        jaki jaka jakie był była było były są a oraz lub ale czy ten ta te tego tej""",
    "cs": """a v na se z do je to že s o k i za od po pro co kdo kde kdy proč jak kolik který která které jaký jaká
        jaké byl byla bylo byly jsou nebo ale ten ta by""",
    "ro": """și în de la cu pe din un o este sunt a al ai ale care ce cine unde când cum cât câți câte pentru prin
        nu să se era erau sau dar""",
    "uk": """і в у на з до не що це як за від по для хто де коли чому скільки який яка яке які та або але є був була
        було були про при його її їх""",
    "he": """של על את הוא היא הם הן זה זאת אלה אשר כי לא גם או אם עם אל מן כל מה מי איפה היכן מתי למה מדוע איך כיצד
        כמה איזה איזו אילו היה הייתה היו יש אין""",
    "fa": """و در به از که این را با است برای آن یک تا بر هم چه کی کجا چرا چگونه کدام چند بود شد""",
    "hi": """का के की में है और को से पर यह वह हैं था थे थी ने एक कि क्या कौन कब कहाँ क्यों कैसे कितना कितने कितनी किस
        जो भी तो""",
    "ca": """el la els les un una i o de del a al en per amb que qui què quan on com quin quina quins quines quant
        és són era va""",
    "id": """yang dan di ke dari untuk dengan adalah itu ini pada siapa apa kapan mengapa bagaimana berapa mana""",
    "zh": """的 了 是 在 和 与 及 或 什么 哪 哪个 哪些 哪里 谁 何时 怎么 怎样 如何 为什么 多少 几 吗 呢
        吧 个 什 么 那 这 有""",
}  # fmt: skip


@lru_cache
def stop_words(language: str) -> frozenset[str]:
    """Return the normalised stop words of a language in lower case; empty for languages without a list."""
    if language == ENGLISH:
        return FUNCTION_WORDS
    listed: tuple[str, ...] = ()
    if language in _LISTS:
        from bm25s import stopwords  # imports numpy: only if such a text is read

        listed = getattr(stopwords, f"STOPWORDS_{_LISTS[language]}")
    return frozenset(normalised(word, language) for word in (*listed, *_ADDED.get(language, "").split()))
