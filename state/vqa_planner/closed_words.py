"""Closed word classes of some languages, for finding deictic words and what they may refer to.

Source: ours, from grammars. No words are ever added to a closed class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


def closed(words: str) -> frozenset[str]:
    """Parse a closed class from words separated by spaces."""
    return frozenset(words.split())


@dataclass(frozen=True)
class ClosedWords:
    """Closed classes of a language written with spaces, in lower case."""

    determiners: frozenset[str]
    """Demonstratives before a noun."""
    pronouns: frozenset[str]
    """Third person pronouns and possessives, and demonstratives that stand alone."""
    before_nouns: frozenset[str]
    """Articles, prepositions and question words before a noun; empty where nouns need none."""
    others: frozenset[str]
    """Question words, auxiliaries, conjunctions, particles."""
    relatives: frozenset[str]
    """Words that open a clause; before them neither points ("celui qui", "il est vrai que")."""
    stretches: frozenset[str]
    """Periods of time: "cette année" needs no picture."""
    impersonal: frozenset[str]
    """Words that make a pronoun beside them impersonal ("il y a", "gibt es")."""
    who: frozenset[str]
    """Question words that are the subject, followed by a verb."""
    nouns_capitalised: bool = False

    @cached_property
    def function_words(self) -> frozenset[str]:
        """All words that name nothing."""
        return self.others.union(
            self.determiners, self.pronouns, self.before_nouns, self.relatives, self.impersonal, self.who
        )


_GERMAN = ClosedWords(
    determiners=closed("dieser diese dieses diesen diesem jener jene jenes jenen jenem"),
    pronouns=closed("""dies das er sie es ihn ihm ihnen ihr ihre ihren ihrem ihrer ihres sein seine seinen seinem seiner
        seines"""),
    before_nouns=closed("""der die das den dem des ein eine einen einem einer eines in im an am auf aus bei mit nach von
        vom zu zum zur für über unter vor durch seit welcher welche welches welchen welchem"""),
    others=closed("""wann wo woher wohin woraus womit warum wieso wie viel viele wessen wem wen was ist war sind waren
        wird wurde wurden hat hatte haben hatten kann konnte muss soll und oder denn als nicht so"""),
    relatives=closed("dass ob zu"),
    stretches=closed("jahr jahres jahre monat monats woche tag tages jahrhundert jahrzehnt mal sommer winter saison"),
    impersonal=closed("gibt gab gäbe geht handelt regnet schneit"),
    who=closed("wer"),
    nouns_capitalised=True,
)
_FRENCH = ClosedWords(
    determiners=closed("ce cet cette ces"),
    pronouns=closed("il elle ils elles lui leur leurs son sa ses celui celle ceux celles cela ceci ça"),
    before_nouns=closed("""le la les l un une des du de d à au aux en dans sur sous par pour avec sans chez vers entre
        quel quelle quels quelles"""),
    others=closed("""est sont était étaient a ont avait avaient fut sera t s c j n m se ne pas et ou où quand comment
        combien pourquoi quoi lequel laquelle depuis été"""),
    relatives=closed("qui que qu dont si"),
    stretches=closed("année an mois semaine jour journée siècle décennie saison fois été hiver matin soir nuit"),
    impersonal=closed("y faut agit pleut neige"),
    who=closed("qui"),
)
_SPANISH = ClosedWords(
    determiners=closed("este esta estos estas ese esa esos esas aquel aquella aquellos aquellas"),
    pronouns=closed("él ella ellos ellas su sus suyo suya esto eso aquello"),
    before_nouns=closed("""el la los las un una unos unas de del a al en con por para sin sobre entre desde hasta según
        qué cuál cuáles cuánto cuánta cuántos cuántas"""),
    others=closed("""cuándo dónde cómo es son era eran fue fueron está están estaba ha han había se no y o u e quiénes
        tiene tienen mide hay"""),
    relatives=closed("que quien cuyo cuya si"),
    stretches=closed("año mes semana día siglo década temporada vez verano invierno noche mañana tarde"),
    impersonal=closed(""),
    who=closed("quién quiénes"),
)
_RUSSIAN = ClosedWords(
    determiners=closed("этот эта эти этого этой этих этому этим этими этом эту"),
    pronouns=closed("это он она оно они его её ее ему ей им их ним ней нему них ними нём нем"),
    before_nouns=frozenset(),
    others=closed("""когда где куда откуда почему зачем как сколько чей чья чьё чьи был была было были есть будет в во
        на с со к ко у о об от из за для по и или а но не ли же бы какой какая какое какие что"""),
    relatives=closed("что чтобы который которая которое которые"),
    stretches=closed("год года году годы лет век века веке месяц месяце месяца неделя неделе неделю день дня дни"),
    impersonal=closed("правда верно"),
    who=closed("кто кого"),
)
_ARABIC = ClosedWords(
    determiners=closed("هذا هذه هذان هاتان ذلك تلك هؤلاء أولئك"),
    pronouns=closed("هو هي هم هن"),
    before_nouns=frozenset(),
    others=closed("ما ماذا متى أين كيف لماذا كم هل أي كان كانت في من إلى على عن مع و أو ثم لا لم قد"),
    relatives=closed("الذي التي الذين"),
    stretches=closed("السنة العام الشهر الأسبوع القرن اليوم العقد الموسم الصيف الشتاء"),
    impersonal=frozenset(),
    who=closed("من"),
)
LANGUAGES = {"de": _GERMAN, "fr": _FRENCH, "es": _SPANISH, "ru": _RUSSIAN, "ar": _ARABIC}
"""By ISO 639-1 code. English has a module of its own; Chinese and Japanese are written without spaces."""
