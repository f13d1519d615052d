"""Closed word classes of English for the analysis of questions and phrases.

Only small, general classes: auxiliaries, prepositions, months, number words, nouns that name a kind of answer. No
names of things.
"""

from __future__ import annotations

from typing import Literal

from backtrail.language.terms import stem

AnswerKind = Literal[
    "person", "place", "organisation", "date", "year", "time", "number", "yes_no", "choice", "reason", "manner",
    "nationality", "colour", "entity", "unknown",
]  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WH_WORDS = _words("who whom whose what which when where why how")
RELATIVE_WORDS = _words("who whom whose which that where")
AUXILIARIES = _words(
    """is are was were am be been being do does did has have had can could will would shall should may might
    's"""
)
COPULAS = _words("is are was were 's")
PREPOSITIONS = _words(
    """of in on at to by for from with into onto about between after before during under over against among as
    through throughout within without per behind beside near around across along since until upon via
    regarding concerning"""
)
DETERMINERS = _words("the a an this these those his her their its our my each every")
CONJUNCTIONS = _words("and or but nor while although because if when than")
PRONOUNS = _words("it he she they him her them its his their hers theirs this that these those there one ones")
# Participles that open a modifier of the noun before them ("the film starring …", "a club based in …").
MODIFIER_PARTICIPLES = _words(
    """starring featuring located directed produced written born based played founded owned hosted held named called
    known released created used published built drafted eliminated paired designed sung performed composed developed
    broadcast painted discovered invented recorded situated containing depicting showing shown participating
    representing made won attended ranked listed"""
)
# Verbs that may close a question whose subject carries a long modifier ("was the club that … founded?").
CLOSING_VERBS = _words(
    """born from play live located founded built made known held won die died based begin start end originate serve
    come work take released formed established published opened created elected called named situated set run
    lie stand belong win use used"""
)
# Verbs after "did the woman who … *obtain* …": the main clause continues there.
BASE_VERBS = _words(
    """obtain receive win play participate serve get hold earn take become join leave die live move score belong
    compete attend graduate represent finish start begin retire appear make have release go come study work marry
    defeat beat lose open end originate found write direct sign enroll wear use mean do"""
)

MONTHS = _words(
    """january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec"""
)
_NUMBERS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty"""
NUMBER_WORDS = {word: value for value, word in enumerate(_NUMBERS.split())} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100
}  # fmt: skip
MAGNITUDES = _words("hundred thousand million billion trillion dozen")
COLOURS = _words(
    """red orange yellow green blue purple violet pink brown black white grey gray gold golden silver maroon crimson
    scarlet navy turquoise teal cyan magenta beige cream bronze"""
)

_KIND_NOUNS: dict[AnswerKind, str] = {
    "person": """person man woman people actor actress author writer player athlete singer musician artist director
        producer founder creator inventor designer architect coach manager captain president minister king queen
        leader driver rider cyclist swimmer runner boxer wrestler golfer goalkeeper footballer politician senator
        governor mayor scientist professor poet painter composer journalist photographer father mother wife husband son
        daughter brother sister spouse winner champion runner-up opponent celebrity contestant chairman ceo owner host
        guitarist drummer vocalist bassist model engineer trainer judge scorer member partner dad mom astronaut
        pair duo couple trio""",
    "place": """place city town village country nation state province county region district area continent island
        location birthplace hometown capital municipality neighborhood neighbourhood suburb borough parish venue
        river lake mountain sea ocean valley park site territory homeland department""",
    "organisation": """company organisation organization team club university college school party network label band
        group agency institution manufacturer publisher studio league association channel station employer
        corporation firm airline church army navy committee orchestra brand""",
    "date": "date day birthday birthdate month deadline",
    "year": "year decade century years",
    "number": """number population capacity attendance elevation height length width depth score percentage amount age
        weight distance total altitude size speed price cost budget salary density temperature rank count quantity
        average mean enrollment circumference diameter mass area duration half-life fine fee timeout interval delay
        threshold maximum minimum revenue turnover percent fraction proportion gdp ratio h-index share rate
        pressure dose dosage voltage""",
    "nationality": "nationality ethnicity citizenship",
    "colour": "color colour colors colours",
    "reason": "reason cause",
}  # fmt: skip
# Later classes win: an "area" asked for is a measure, a "department" is a place.
KIND_OF_NOUN: dict[str, AnswerKind] = {noun: kind for kind, nouns in _KIND_NOUNS.items() for noun in nouns.split()}


def kind_of_noun(noun: str) -> AnswerKind | None:
    """Return the kind of answer that a noun names, singular or plural; None for most nouns."""
    if noun == "means":  # hardly ever the plural of a mean
        return None
    singular = (
        noun,
        noun.removesuffix("s"),
        noun.removesuffix("es"),
        f"{noun.removesuffix('ies')}y" if noun.endswith("ies") else noun,
    )
    return next((KIND_OF_NOUN[form] for form in singular if form in KIND_OF_NOUN), None)


# Words after "how" that ask for a number.
MEASURES = _words(
    """many much long tall high old far deep wide big large small heavy fast often frequently close soon quickly low
    hot cold warm strong thick steep loud"""
)

# Property that each comparative compares.
COMPARATIVES: dict[str, str] = {
    "older": "date of birth or founding", "younger": "date of birth or founding", "newer": "date of founding",
    "larger": "size", "bigger": "size", "smaller": "size", "taller": "height", "higher": "height", "lower": "height",
    "longer": "length", "shorter": "length", "heavier": "weight", "lighter": "weight", "earlier": "date",
    "later": "date", "first": "date", "last": "date", "faster": "speed", "slower": "speed", "deeper": "depth",
    "wider": "width", "hotter": "temperature", "colder": "temperature", "warmer": "temperature", "richer": "wealth",
    "closer": "distance", "farther": "distance", "further": "distance", "denser": "density", "brighter": "brightness",
}  # fmt: skip

# Words that compare, order or add up several things.
COMPARING = frozenset(COMPARATIVES) | _words(
    """most least more less fewer better best worse worst maximum minimum recent final top than above below before
    after previous prior next following preceding total sum difference average altogether combined together same both
    overall gain gained per"""
)
# Words for the same relation in question and text, without direction: any member matches any other.
_KIN = """found founded founder establish established establishment form formed formation inception
create created creator devised develop developed developer
write wrote written writer author authored novelist screenwriter screenplay
direct directed director filmmaker
die died death dead dies
born birth birthday birthdate birthplace birthdate
live lives people population inhabitants residents populated resident
tall height high elevation altitude stands
locate located location situated lies headquartered based headquarters
nickname nicknamed nicknames known called dubbed alias
father dad son daughter
mother mom son daughter
wife husband married spouse marry
play played plays portrayed role starred portray character
own owned owns owner ownership
make made makes maker makers manufactured manufacturer produced producer produce
begin began start started opened commenced launched debuted
name named renamed titled
team club side squad
film movie motion
seat seating capacity seats
win won wins winner winning champion victory
school college university educated studied attended graduated
country nation nationality
build built construct constructed construction
host hosted held venue
company corporation firm
design designed designer architect
album record
song single
old age aged
coach coached coaches manager
area cover covers covering
air aired broadcast broadcasts premiered
length long
cost costs price prices priced
release released
color colour colors colours"""
KIN: dict[str, frozenset[str]] = {}
for _line in _KIN.splitlines():
    _family = frozenset(stem(word) for word in _line.split())
    for _member in _family:
        KIN[_member] = KIN.get(_member, frozenset()) | _family

# Words of labels ("Launch vehicle") and of questions about them ("which rocket"). Wider than the
# families above, since a label is short: in running text these words would match too much.
_LABELS = """launch launched launching liftoff left leave departed departure
vehicle rocket launcher shuttle booster
power powered powers electricity energy supply supplied
end ended ends finished finish closed
land landed landing touchdown
signal contact heard
weight mass heavy weigh weighs weighed
operator operated operate managed run
amount quantity much
come came
bring brought
big large size diameter
long length
high height tall
fast speed
far distance
place site
discovered found discoverer
material made"""
LABEL_KIN: dict[str, frozenset[str]] = {}
for _line in _LABELS.splitlines():
    _family = frozenset(stem(word) for word in _line.split())
    for _member in _family:
        LABEL_KIN[_member] = LABEL_KIN.get(_member, frozenset()) | _family
