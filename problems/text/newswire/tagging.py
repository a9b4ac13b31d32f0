"""Tags for the words of templates.

Templates say which words are verbs and where noun phrases end, so a small lexicon decides the rest. A word that the
rules would get wrong carries its tag in the template (`board_NN`).
"""

from __future__ import annotations

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_CLOSED = {
    "DT": "a an the this that these those no every each any some both another all",
    "PRP$": "its his her their our",
    "PRP": "it he she they we him them us itself themselves himself herself I you nothing",
    "CC": "and but or",
    "WDT": "which",
    "WP": "who what",
    "WP$": "whose",
    "WRB": "when where how why",
    "TO": "to",
    "EX": "there",
    "IN": "of in on at by for from with without after before during until since because while as although if whether "
    "into onto over under through across along around near off against among between behind beyond despite about above "
    "below outside inside within toward towards amid like than per past via upon unless though according except "
    "throughout ahead alongside beside including out up",
    "MD": "will would could may might should can must",
    "CD": "one two three four five six seven eight nine ten eleven twelve hundred thousand million billion dozen",
    "RB": "not never still already also later once now then here again ever even often soon almost nearly only just "
    "too very so well far away together early late alone abroad overnight twice far instead ahead largely fast hard "
    "downstream upstream ashore inland indoors elsewhere yet",
    "JJR": "more fewer less higher lower larger smaller shorter stronger better worse older",
    "JJS": "least most largest worst biggest oldest best strongest heaviest deadliest fastest highest latest",
    "NNS": "people police children men women staff crews media data feet schoolchildren",
    "NN": "news evidence process access progress business address congress loss glass mass crisis analysis basis virus "
    "census debris illness gas series bus access press class cross consensus bypass chaos apparatus campus diagnosis "
    "anything something everything everyone nobody anyone someone supply family assembly rally reply apparatus surplus",
}

_ADJECTIVES = """
    able abrupt absolute acting active actual additional adequate administrative advanced aerial ageing aggressive
    agreed ajar ambitious angry announced annual anonymous anxious apparent armed available aware bad bankrupt bare
    basic beautiful bereaved big binding bitter black blue brief bright brisk broad broken bruised busy calm careful
    cautious central centre-left certain charged cheap cheerful chief civil clean clear clinical clogged close coastal
    cold combined commercial common complete complex composed confident confidential conservative constitutional
    contaminated convinced corroded corrupt costly covert cramped crippling critical crowded crucial daily damaged
    damning damp dangerous dark daunting dead deadly deaf deep defective delayed dense detailed different difficult
    dirty disappointed disputed distant divided domestic double dramatic dry due early eastern easy economic elderly
    elected electric electrical electronic emotional empty enormous entire environmental essential evasive exact
    exhausted expensive experienced experimental extensive external extra extraordinary extreme faint fair familiar
    famous fatal faulty few fierce fifth final financial firm first fit flat flooded foreign formal former forward
    fourth fragile frail free frequent fresh friendly frightened frozen fruitless full fundamental further future
    general generous gentle global good governing gradual grateful grave great green grieving grim growing guilty half
    happy hard harsh hasty healthy heated heavy helpless hidden high historic hollow hopeful hostile hot hourly huge
    human hurried ill illegal immediate important impossible improper improved incomplete independent industrial
    infected initial injured inland innocent insulting intense interim internal international invalid isolated joint
    judicial junior key known lame large last late leading legal lengthy liberal light likely limited little live
    local lone long loose lost loud low low-lying loyal lucky lucrative main major makeshift mandatory many marginal
    marine massive maximum medical mild military minor missing mixed modern modest monthly moored motionless mounting
    muddy multiple municipal mutual mysterious naked narrow narrower national nationwide natural necessary negative
    nervous new next noisy normal northern nuclear numerous obvious old ongoing open opposing orderly ordinary
    organised original overcrowded overdue overloaded packed painful parliamentary partial past patient peaceful
    permanent personal planned polite political poor popular positive possible potential powerful precise preliminary
    prepared present preventive previous prime private probable professional prolonged prominent proper proposed proud
    provisional public quick quiet radical rapid rare raw ready real rebuilt recent red reformist regional regular
    related relative reliable relieved reluctant remaining remarkable remote renewed repeated rescheduled reserved
    responsible restless retired revised rich ripe rising rival rotten rough routine ruling rural rusty sad safe
    salvaged satisfied sceptical scheduled scientific sealed second secret senior sensitive separate serious several
    severe shaken shallow sharp sheer sheltered shocked short sick significant silent similar simple single sixth
    sketchy slight slim slow small smooth social soft solar solid sombre southern special specific sprawling stable
    steady steep sterile stiff stormy stranded strange strict strong structural subtle sudden suitable superior sure
    surprised surprising suspected swift swollen sworn tearful technical temporary tense terrible thick thin third
    thorough tight tiny tired total tough traditional tragic trained trapped tropical true turbulent unable unaware
    uncertain unclear undecided underpaid undisclosed uneasy unexpected unhappy uninsured unlawful unlikely unnamed
    unpaid unprecedented unsafe unsuccessful unusual upper upset urban urgent useful usual vaccinated vague valid
    valuable various vast viable vital vocal volatile voluntary vulnerable warm weak wealthy weary weekly western wet
    whole wide widespread wild winding windy wooden worried worrying wounded wrecked wrong young
    """

ADJECTIVES = frozenset(_ADJECTIVES.split())
LEXICON = {word: tag for tag, words in reversed(_CLOSED.items()) for word in words.split()}
_NOT_ADVERBS = frozenset(("family", "supply", "assembly", "rally", "reply", "ally", "anomaly", "fly", "apply", "rely"))
FLAT_ADVERBS = frozenset(("early", "late", "hard", "fast", "deep", "high", "low", "long"))
BE = {"was": "VBD", "were": "VBD", "is": "VBZ", "are": "VBP", "be": "VB", "been": "VBN", "being": "VBG"}
HAVE = {"had": "VBD", "has": "VBZ", "have": "VBP", "having": "VBG"}
DO = {"did": "VBD", "does": "VBZ", "do": "VBP"}
COPULAS = frozenset([*BE, "became", "remained", "seemed", "looked", "felt", "become", "remain"])


def split_tag(token: str) -> tuple[str, str | None]:
    """`board_NN` -> ("board", "NN"); a token without a tag -> (token, None)."""
    word, _, tag = token.partition("_")
    return word, tag or None


def is_adverb(word: str) -> bool:
    if word in ADJECTIVES or word in _NOT_ADVERBS:
        return LEXICON.get(word) == "RB" and word not in ADJECTIVES
    return LEXICON.get(word) == "RB" or (word.endswith("ly") and word.islower())


def tag_noun(word: str) -> str:
    if word[0].isdigit():
        return "CD"
    if word[0].isupper():
        return "NNP" if word != "I" else "PRP"
    if word in LEXICON:
        return LEXICON[word]
    return "NNS" if word.endswith("s") and not word.endswith(("ss", "us", "is")) else "NN"


def tag_before_noun(word: str) -> str:
    if word in LEXICON and LEXICON[word] != "RB":
        return LEXICON[word]
    if word in ADJECTIVES:
        return "JJ"
    if is_adverb(word):
        return "RB"
    return tag_noun(word)


def tag_verb(word: str, previous: str | None, finite: bool) -> str:
    """The tag of a verb from the chain before it: `was` asks for a participle, `to` and modals for a bare form."""
    bare = previous in ("to", *DO) or LEXICON.get(previous or "") == "MD"
    if word in ("have", "do") and bare:
        return "VB"
    for table in (BE, HAVE, DO):
        if word in table:
            return table[word]
    if LEXICON.get(word) == "MD":
        return "MD"
    if bare:
        return "VB"
    if word.endswith("ing") and word not in ("bring", "sing", "swing"):
        return "VBG"
    if previous is not None or not finite:
        return "VBN"
    return "VBD"
