"""The words of the generator's probabilistic grammar, by part of speech; the first ones of each list are the most frequent."""

from __future__ import annotations

NOUNS = tuple(
    """government company report market minister court police bank president plan official group city year party leader
    country price deal state vote meeting team school region crisis law programme union spokesman industry share budget
    study hospital building agency army project worker factory election judge committee firm investor storm border road
    airport student teacher doctor patient farmer village mayor senator lawyer witness driver train ship bridge river
    museum gallery film book singer writer festival season match player coach club stadium tax rate loan debt fund profit
    loss product engine car plane ticket hotel tourist island coast forest fire flood earthquake rescue victim family child
    parent neighbour house street shop customer computer network website phone satellite scientist vaccine disease drug
    trial sentence prison protest crowd demand supply contract strike wage pension reform policy""".split()
)
VERBS = tuple(
    """announced approved rejected reported closed opened bought sold visited criticised supported blocked delayed won lost
    signed cancelled launched investigated built damaged destroyed rebuilt protected attacked warned arrested released
    accused cleared joined left entered reached raised cut doubled financed inspected repaired replaced discussed described
    praised welcomed followed led managed studied tested banned""".split()
)
BASE_VERBS = tuple(
    """approve reject close open buy sell visit support block delay win sign cancel launch investigate build protect warn
    release join leave enter reach raise cut finance inspect repair replace discuss ban""".split()
)
STATES = tuple("was remained became seemed looked".split())
SAYING = tuple("said added claimed reported believed confirmed".split())
WANTING = tuple("wanted agreed refused planned tried promised".split())
ADJECTIVES = tuple(
    """new former local large national small foreign public private major young old recent heavy strong weak high low
    expensive cheap serious independent political economic financial regional famous controversial powerful unpopular empty
    crowded modern ancient severe sudden unexpected early late final annual daily secret legal illegal northern southern
    western eastern central remote busy quiet popular leading senior""".split()
)
ADVERBS = tuple(
    """not also yesterday still quickly finally reportedly already recently again later soon suddenly quietly officially
    largely apparently eventually immediately publicly briefly allegedly formally temporarily carefully""".split()
)
DEGREES = tuple("very too more quite rather extremely particularly".split())
LEADING = tuple("however meanwhile earlier nevertheless today moreover instead".split())
FIRST_NAMES = tuple(
    "John Mary Peter Anna David Laura James Helen Carlos Ingrid Ahmed Sofia Pierre Elena Tom Yuki".split()
)
LAST_NAMES = tuple(
    """Smith Brown Jones Miller Garcia Novak Rossi Larsen Dubois Schmidt Tanaka Costa Walker Evans Kowalski Petrov Khan
    Murphy Silva Weber""".split()
)
PLACES = tuple(
    """London Paris Berlin Madrid Rome Vienna Prague Lisbon Oslo Dublin Athens Warsaw Geneva Brussels Cairo Delhi Tokyo
    Toronto Chicago Boston""".split()
)
PRONOUNS = tuple("it he she they we".split())
DETERMINERS = tuple("the a this its their every another".split())
NUMBERS = tuple("two three four five six ten twelve twenty fifty hundred".split())
PLURALS = tuple(
    """people workers officials companies countries months years reports students shares houses soldiers protesters
    passengers tickets jobs witnesses schools""".split()
)
PLACE_PREPOSITIONS = tuple("in near at from outside".split())
TIME_PREPOSITIONS = tuple("after during before since".split())
LINKS = tuple("of for about with against".split())  # of a noun to its complement
SUBORDINATORS = tuple("because although while after if".split())
MODALS = tuple("will would could may should".split())
RELATIVES = tuple("which who that".split())
CONJUNCTIONS = tuple("and but or".split())
