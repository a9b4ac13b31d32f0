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
    "RB": "not never still already also later once now then here again ever even often soon almost nearly only just too "
    "very so well far away together early late alone abroad overnight twice far instead ahead largely fast hard "
    "downstream upstream ashore inland indoors elsewhere yet",
    "JJR": "more fewer less higher lower larger smaller shorter stronger better worse older",
    "JJS": "least most largest worst biggest oldest best strongest heaviest deadliest fastest highest latest",
    "NNS": "people police children men women staff crews media data feet schoolchildren",
    "NN": "news evidence process access progress business address congress loss glass mass crisis analysis basis virus "
    "census debris illness gas series bus access press class cross consensus bypass chaos apparatus campus diagnosis "
    "anything something everything everyone nobody anyone someone supply family assembly rally reply apparatus surplus",
}

_ADJECTIVES = """
    able abrupt absolute acting active actual additional adequate administrative advanced aerial ageing ambitious
    angry annual anonymous anxious apparent aware bad bare basic beautiful bereaved big bitter black blue brief bright
    brisk broad broken calm careful cautious central certain cheap cheerful chief civil clean clear clinical close coastal
    cold commercial common complete complex confidential constitutional contaminated corrupt costly covert cramped
    critical crowded crucial daily damaged damp dangerous dark daunting dead deadly deaf deep defective delayed detailed
    different difficult dirty disappointed disputed distant domestic double dramatic dry due early eastern economic
    elderly electric electrical electronic emotional empty enormous entire environmental essential exact
    exhausted expensive experienced experimental extensive external extra extreme faint fair familiar famous faulty
    fatal fierce final financial firm first fit flat flooded foreign formal former forward frail free frequent fresh
    friendly frozen full fundamental further future general gentle global good gradual grave great green grim growing
    guilty half happy hard harsh hasty healthy heated heavy helpless hidden high historic hollow hostile hot huge human
    hurried ill illegal immediate important impossible improper incomplete independent industrial infected initial
    injured inland innocent intense interim internal international joint judicial junior key known lame large last late
    leading legal lengthy light likely limited little live local lone long loose loud low loyal lucky main major marginal
    marine massive maximum medical mild military minor missing mixed modern modest monthly mounting muddy multiple
    municipal mutual mysterious naked narrow national natural necessary negative nervous new next noisy normal northern
    nuclear numerous obvious old open opposing orderly ordinary organised original overloaded overcrowded overdue packed
    painful parliamentary partial past patient peaceful permanent personal polite political poor popular positive
    possible potential powerful precise preliminary present previous private probable professional prolonged prominent
    proper proud provisional public quick quiet radical rapid rare raw ready real rebuilt recent red reformist regional
    regular related relative reliable reluctant remaining remarkable remote repeated responsible restless rich ripe rising
    rival rough routine rural rusty sad safe salvaged satisfied sceptical scheduled scientific second secret senior
    sensitive separate serious severe shaken shallow sharp sheer short sick significant silent similar simple single
    sketchy slight slim slow small smooth social soft solar solid sombre southern special specific stable steady steep
    sterile stiff stormy strange strict strong structural subtle sudden suitable superior sure surprised surprising
    suspected swift tearful technical temporary tense terrible third thick thin thorough tight tired tiny total tough
    traditional tragic tropical true turbulent unable uncertain uneasy unexpected unhappy unlikely unnamed unpaid
    unprecedented unsafe unsuccessful unusual upset urban urgent useful usual vague valid valuable various vast viable
    vital vocal volatile voluntary vulnerable warm weak wealthy weary weekly western wet whole wide widespread wild windy
    winding wooden worried worrying wounded wrong young wrecked fifth fourth sixth isolated uninsured stranded shocked
    trapped elected ruling governing divided combined proposed agreed sworn damning sealed improved revised planned
    announced packed frightened relieved grieving limited rescheduled makeshift armed trained rotten corroded
    swollen moored clogged sheltered prepared reserved bruised confident busy grateful available hopeful
    centre-left conservative liberal unclear unaware convinced aggressive hourly sprawling low-lying dense
    extraordinary preventive vaccinated fragile undisclosed lucrative underpaid retired motionless evasive strict
    steep generous insulting unlawful undecided narrower invalid lost binding crippling costly bankrupt
    ongoing nationwide mandatory renewed charged composed easy several many few fruitless upper prime ajar
    """

ADJECTIVES = frozenset(_ADJECTIVES.split())
LEXICON = {word: tag for tag, words in reversed(_CLOSED.items()) for word in words.split()}
_NOT_ADVERBS = frozenset("family supply assembly rally reply ally anomaly fly apply rely".split())
FLAT_ADVERBS = frozenset("early late hard fast deep high low long".split())
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
