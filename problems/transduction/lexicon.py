"""The words of the generator's probabilistic grammar, by part of speech; the first ones of each list are the most frequent."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NOUNS = _words("""government company report market minister court police bank president plan official group city year party leader
    country price deal state vote meeting team school region crisis law programme union spokesman industry share budget
    study hospital building agency army project worker factory election judge committee firm investor storm border road
    airport student teacher doctor patient farmer village mayor senator lawyer witness driver train ship bridge river
    museum gallery film book singer writer festival season match player coach club stadium tax rate loan debt fund profit
    loss product engine car plane ticket hotel tourist island coast forest fire flood earthquake rescue victim family child
    parent neighbour house street shop customer computer network website phone satellite scientist vaccine disease drug
    trial sentence prison protest crowd demand supply contract strike wage pension reform policy""")
VERBS = _words("""announced approved rejected reported closed opened bought sold visited criticised supported blocked delayed won lost
    signed cancelled launched investigated built damaged destroyed rebuilt protected attacked warned arrested released
    accused cleared joined left entered reached raised cut doubled financed inspected repaired replaced discussed described
    praised welcomed followed led managed studied tested banned""")
BASE_VERBS = _words("""approve reject close open buy sell visit support block delay win sign cancel launch investigate build protect warn
    release join leave enter reach raise cut finance inspect repair replace discuss ban""")
STATES = _words("was remained became seemed looked")
SAYING = _words("said added claimed reported believed confirmed")
WANTING = _words("wanted agreed refused planned tried promised")
ADJECTIVES = _words("""new former local large national small foreign public private major young old recent heavy strong weak high low
    expensive cheap serious independent political economic financial regional famous controversial powerful unpopular empty
    crowded modern ancient severe sudden unexpected early late final annual daily secret legal illegal northern southern
    western eastern central remote busy quiet popular leading senior""")
ADVERBS = _words("""not also yesterday still quickly finally reportedly already recently again later soon suddenly quietly officially
    largely apparently eventually immediately publicly briefly allegedly formally temporarily carefully""")
DEGREES = _words("very too more quite rather extremely particularly")
LEADING = _words("however meanwhile earlier nevertheless today moreover instead")
FIRST_NAMES = _words("John Mary Peter Anna David Laura James Helen Carlos Ingrid Ahmed Sofia Pierre Elena Tom Yuki")
LAST_NAMES = _words("""Smith Brown Jones Miller Garcia Novak Rossi Larsen Dubois Schmidt Tanaka Costa Walker Evans Kowalski Petrov Khan
    Murphy Silva Weber""")
PLACES = _words("""London Paris Berlin Madrid Rome Vienna Prague Lisbon Oslo Dublin Athens Warsaw Geneva Brussels Cairo Delhi Tokyo
    Toronto Chicago Boston""")
PRONOUNS = _words("it he she they we")
DETERMINERS = _words("the a this its their every another")
NUMBERS = _words("two three four five six ten twelve twenty fifty hundred")
PLURALS = _words("""people workers officials companies countries months years reports students shares houses soldiers protesters
    passengers tickets jobs witnesses schools""")
PLACE_PREPOSITIONS = _words("in near at from outside")
TIME_PREPOSITIONS = _words("after during before since")
LINKS = _words("of for about with against")  # of a noun to its complement
SUBORDINATORS = _words("because although while after if")
MODALS = _words("will would could may should")
RELATIVES = _words("which who that")
CONJUNCTIONS = _words("and but or")
