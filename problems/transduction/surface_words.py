"""The words that generated sentences are shown in, by what they stand for (`surface.py`)."""

from __future__ import annotations

from typing import NamedTuple


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


PERSONS = _words("""minister president official leader spokesman judge investor student teacher doctor farmer mayor senator lawyer
    witness driver singer writer player coach tourist customer scientist""")
BODIES = _words("government company court bank group party team union agency army committee firm club")
PLACES = _words("""city country region hospital building factory village museum gallery stadium hotel town school prison market
    airport street shop forest""")
EVENTS = _words("vote meeting crisis storm election festival match fire flood earthquake trial protest strike")
PLANS = _words("report plan deal law programme project contract reform policy study budget")
THINGS = _words("ship train car plane engine computer network satellite bridge house hotel factory shop museum road")
AMOUNTS = _words("price tax rate debt wage pension profit fund")
SITES = _words("hospital building factory museum gallery stadium hotel school prison market airport street shop")
CONTESTS = _words("vote election match trial")
GATHERINGS = _words("meeting festival match protest strike")
CROWDS = _words("group team crew club party")
NOUNS: dict[str, tuple[str, ...]] = {
    "agent": PERSONS + BODIES,
    "person": PERSONS,
    "body": BODIES,
    "place": PLACES,
    "event": EVENTS,
    "plan": PLANS,
    "thing": THINGS,
    "amount": AMOUNTS,
    "site": SITES,
    "contest": CONTESTS,
    "gathering": GATHERINGS,
    "crowd": CROWDS,
}
GENERAL = {
    "site": "place",
    "contest": "event",
    "gathering": "event",
    "crowd": "body",
}  # what such nouns have words in common with
PLURALS: dict[str, tuple[str, ...]] = {
    "agent": _words("people workers officials students soldiers protesters passengers witnesses"),
    "person": _words("people workers officials students soldiers protesters passengers witnesses"),
    "body": _words("companies banks parties unions"),
    "place": _words("countries schools houses villages"),
    "event": _words("matches elections trials meetings"),
    "time": _words("months years weeks days hours"),
    "plan": _words("reports laws contracts projects"),
    "thing": _words("houses tickets ships cars computers"),
    "amount": _words("jobs shares prices wages"),
}
NUMBERS = _words("two three four five six ten twelve twenty fifty sixty")
LAST_NAMES: dict[str, tuple[str, ...]] = {  # the last word of a name; persons keep theirs
    "place": _words("London Paris Berlin Madrid Rome Vienna Prague Lisbon Oslo Dublin Athens Warsaw"),
    "event": _words("Christmas Easter"),
    "plan": _words("Horizon Aurora Compass Lighthouse"),
    "thing": _words("Nordvik Albatross Meridian Concordia"),
    "body": _words("Labour Nordvik Meridian Concordia"),
}
FIRST_NAMES: dict[str, tuple[str, ...]] = {
    "place": _words("West East North South"),
    "event": _words("Orthodox"),
    "plan": _words("Project Operation"),
    "thing": _words("New Royal"),
    "body": _words("New United"),
}
ADJECTIVES: dict[str, tuple[str, ...]] = {
    "person": _words("""former local young foreign senior leading famous independent powerful unpopular controversial
        popular retired experienced"""),
    "body": _words("""local large national small foreign public private major independent powerful unpopular
        controversial leading new"""),
    "place": _words("""new local large small foreign old famous empty crowded modern ancient remote busy quiet northern
        southern western eastern"""),
    "event": _words("local major recent serious controversial severe sudden unexpected final annual national"),
    "plan": _words("""new national public major recent serious political economic financial regional controversial
        final annual secret legal unpopular"""),
    "thing": _words("new large small old expensive cheap modern empty famous heavy private"),
    "amount": _words("new high low national annual public average expected"),
}
GRADED: dict[str, tuple[str, ...]] = {  # those that "very" and "more" go with
    "person": _words("powerful popular unpopular famous controversial cautious optimistic nervous confident"),
    "body": _words("powerful popular unpopular controversial cautious independent optimistic nervous"),
    "place": _words("famous crowded popular expensive dangerous peaceful remote"),
    "event": _words("controversial important popular unusual peaceful expensive"),
    "plan": _words("controversial important popular unpopular expensive ambitious"),
    "thing": _words("expensive popular famous dangerous reliable modern"),
    "amount": _words("important controversial attractive"),
}
DEGREES = _words(
    "very highly increasingly quite rather extremely particularly"
)  # of a modifier; lexemes 2 and 3 are "too" and "more"
NEVER = "never"  # what "not" is before a verb
MODAL_ADVERBS = _words("""also still finally reportedly already apparently eventually immediately publicly formally probably
    certainly clearly soon""")
STATE_ADVERBS = _words("also still finally reportedly already again later soon apparently eventually officially")
SECOND_LEADING = _words("meanwhile earlier today instead")  # behind "and", "but", "or"
SUBORDINATORS = {"past": _words("because although while after when"), "modal": _words("because although since though")}
REFLEXIVES = {"it": "itself", "he": "himself", "she": "herself", "they": "themselves"}
OBJECT_CASE = {"it": "it", "he": "him", "she": "her", "they": "them", "we": "us"}
SHOWING = _words("showed suggested proved indicated confirmed")  # what reports and storms do instead of saying
TENDING = _words("failed continued began seemed threatened")  # instead of wanting
AFFECTING = (
    ("helped", "help"),
    ("worried", "worry"),
    ("surprised", "surprise"),
    ("attracted", "attract"),
    ("angered", "anger"),
)


class Verb(NamedTuple):
    past: str
    base: str
    object: str  # what its object stands for


_VERBS = """announced announce plan; approved approve plan; rejected reject plan; reported report event; closed close site;
    opened open site; bought buy thing; sold sell thing; visited visit place; criticised criticise person;
    supported support plan; blocked block plan; delayed delay plan; won win contest; lost lose contest; signed sign plan;
    cancelled cancel gathering; launched launch plan; investigated investigate event; built build thing;
    damaged damage thing; destroyed destroy thing; rebuilt rebuild thing; protected protect place; attacked attack person;
    warned warn person; arrested arrest person; released release person; accused accuse person; cleared clear person;
    joined join body; left leave place; entered enter place; reached reach place; raised raise amount; cut cut amount;
    doubled double amount; financed finance plan; inspected inspect site; repaired repair thing; replaced replace thing;
    discussed discuss plan; described describe event; praised praise person; welcomed welcome plan; followed follow person;
    led lead body; managed manage body; studied study plan; tested test thing; banned ban gathering"""
VERBS = {verb.past: verb for verb in (Verb(*entry.split()) for entry in _VERBS.split(";"))}
BY_BASE = {verb.base: verb for verb in VERBS.values()}
OF_PERSONS = tuple(verb for verb in VERBS.values() if verb.object == "person")

# The preposition between a noun of a kind and its complement, by the grammar's link, and what the complement stands for.
LINKS: dict[str, dict[str, tuple[str, str]]] = {
    "name": {
        "of": ("of", "body"), "for": ("from", "place"), "about": ("of", "body"), "with": ("of", "body"),
        "against": ("from", "place"),
    },
    "person": {
        "of": ("from", "place"), "for": ("from", "body"), "about": ("near", "place"), "with": ("with", "plan"),
        "against": ("against", "plan"),
    },
    "body": {
        "of": ("from", "place"), "for": ("for", "agent"), "about": ("near", "place"), "with": ("with", "plan"),
        "against": ("against", "plan"),
    },
    "place": {
        "of": ("of", "agent"), "for": ("for", "agent"), "about": ("near", "place"), "with": ("with", "thing"),
        "against": ("behind", "place"),
    },
    "event": {
        "of": ("of", "agent"), "for": ("over", "plan"), "about": ("about", "plan"), "with": ("with", "agent"),
        "against": ("against", "plan"),
    },
    "plan": {
        "of": ("of", "agent"), "for": ("for", "place"), "about": ("about", "event"), "with": ("with", "agent"),
        "against": ("against", "event"),
    },
    "thing": {
        "of": ("of", "agent"), "for": ("for", "agent"), "about": ("near", "place"), "with": ("with", "thing"),
        "against": ("behind", "place"),
    },
    "amount": {
        "of": ("of", "thing"), "for": ("for", "agent"), "about": ("in", "place"), "with": ("under", "plan"),
        "against": ("under", "plan"),
    },
}  # fmt: skip
AT_VERBS = {
    "in": "in",
    "near": "near",
    "at": "in",
    "from": "near",
    "outside": "outside",
}  # place prepositions of a verb
AT_NOUNS = {"in": "in", "near": "near", "at": "in", "from": "from", "outside": "outside"}
PLACE_PRONOUN, TIME_PRONOUNS = "there", {"since": "then"}  # "near there", "since then", otherwise "after that"
SPANS = {"after": "after", "during": "for", "before": "within", "since": "for"}  # before "two months"
