"""Invented names: people, places, companies, ships. Drawn without replacement, so that no story has two Calders."""

from __future__ import annotations

import numpy as np

_WOMEN = """
    Anna Maria Ruth Helen Clara Ingrid Teresa Nadia Leila Sofia Joan Miriam Petra Carmen Alice Edith Paula Irene Vera
    Lucia Grace Hannah Olga Diana Marta Judith Elena Rosa Amina Yuki Priya Mei Fatima Celine Astrid Bridget
    """
_MEN = """
    Thomas Peter Daniel Marcus Victor Samuel Oscar Henrik Anton Karim Rafael Walter Hugo Felix Simon Bruno Martin Gregor
    Leon Ivan Arthur Philip Tomas Stefan Julian Emil Andre Nikolai Omar Kenji Arjun Tariq Pablo Lars Declan Edgar
    """
_SURNAMES = """
    Calder Lindqvist Okafor Marsh Varga Delgado Haines Petrov Sorensen Whitlock Amari Brandt Castellano Drummond Eriksen
    Falk Galloway Hartmann Ibarra Jansen Keller Lowell Mbeki Novak Ortega Pryce Quaid Rossi Sandoval Tanaka Ulrich Vance
    Weaver Yilmaz Zielinski Abbott Barros Crane Dahl Engel Fontaine Gruber Holloway Iversen Jarvis Kowalski Larkin
    Moreau Nakamura Osman Pereira Rahman Schell Thorne Underhill Vogel Winslow Ashdown Bellamy Corrigan Duarte Ellery
    Farrow Grimaldi Haddad Kessler Lambert Morrow Nyberg Pascal Ridley Sutter Tolland Voss Wexford Amador Birch Colvin
    """
_TOWNS = """
    Harwick Velmora Tarnby Ostrand Kelport Marrow Lindale Corvath Ashmere Brenning Dunholm Eastvale Fallbrook Garrin
    Hestia Ilsburg Jorvale Kingsmoor Larkhaven Mirador Northgate Orsova Pellham Quarry Rosmond Selwick Thornbay Ulverton
    Vandry Westerfield Yarrow Zandvoort Alderney Belhaven Castine Drovia Elmsworth Feronia Glenrock Halden Isterra
    """
_REGIONS = """
    Arlen Borland Cassia Dorane Elvar Fenwick Gallia Harrow Istria Jutmark Kester Lorne Marden Norvia Ostmark Pellia
    Rhone Sarnia Tessaly Umber Valdora Wester Zeland Aldmark Bressia Corland
    """
_COUNTRIES = "Caldora Estria Vornia Tarsia Meland Korvia Ruritia Sundria Belmark Ostania Lavonia Tremaria"
_COMPANIES = """
    Meridian Halvorsen Arcadia Stanhope Northway Pinnacle Corvus Delphine Everard Fairmont Granite Helios Ironbridge
    Juno Kestrel Landmark Monarch Novara Orion Paragon Quantum Redwood Sterling Tidewater Unity Vanguard Westbrook
    Zenith Argent Beacon Crestline Dunmore Equinox Falcon
    """
_SHIPS = """
    Northern~Dawn Silver~Gull Lady~Marian Ocean~Pearl Star~of~Arlen Blue~Heron Princess~Ada Morning~Light Sea~Venture
    Western~Rose Island~Queen Golden~Tern Iron~Duke Bay~Pioneer Coral~Spirit White~Petrel
    """
_STORMS = "Agnes Bertha Cedric Dora Elmer Flora Gideon Hilda Isidore Josephine Kurt Lorna Mathilda Norbert"
_MISSIONS = "Pathfinder Aurora Sentinel Horizon Daedalus Galen Perseus Lodestar Harbinger Solstice Voyant"
_SEAS = "Kestrel Marble Halden Serpent Grey Tarn Cormorant Fairlight Dogger Ravens"
_NEWSPAPERS = "Herald Gazette Courier Tribune Chronicle Observer Examiner Dispatch"

_POOLS: dict[str, list[str]] = {
    "P": _SURNAMES.split(),
    "T": _TOWNS.split(),
    "R": _REGIONS.split(),
    "C": _COUNTRIES.split(),
    "O": _COMPANIES.split(),
    "V": _SHIPS.split(),
    "W": _STORMS.split(),
    "M": _MISSIONS.split(),
    "S": _SEAS.split(),
    "N": _NEWSPAPERS.split(),
}
WOMEN, MEN = _WOMEN.split(), _MEN.split()


class Names:
    """Draws each name once; a pool that runs dry starts again (large clusters have many witnesses)."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.left: dict[str, list[str]] = {}

    def draw(self, kind: str) -> str:
        pool = self.left.setdefault(kind, [])
        if not pool:
            pool.extend(_POOLS[kind])
        return pool.pop(int(self.rng.random() * len(pool))).replace("~", " ")

    def person(self) -> tuple[str, str, bool]:
        """First name, surname and whether it is a woman."""
        woman = bool(self.rng.random() < 0.5)
        first = (WOMEN if woman else MEN)[int(self.rng.random() * 36)]
        return first, self.draw("P"), woman
