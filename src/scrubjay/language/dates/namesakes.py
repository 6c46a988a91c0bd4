"""Tells a time from somebody or something that is called, or described, by one."""

from __future__ import annotations

from scrubjay.language.dates.place import ENDS, Place
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.values import Bare, Grain

# What is written small, but in a title.
_SMALL = frozenset(("DEICTIC", "UNIT", "DAYPART", "WEEKEND", "TODAYPART"))
_NAMED = frozenset(("MONTH", "DOW", "SEASON"))
_TODAY = frozenset(("DEICTIC", "TODAYPART", "WEEKEND"))
# "A winter's night": what is described by a season may be a part of a day itself.
_PARTS = frozenset(("DAYPART", "UNIT"))
# A verb of one person, in the languages that write names of times small: "Julio sabe nadar".
_THIRD = ("a", "e", "ó", "it", "em")
_FAMILY = frozenset(("DOW", "HOLIDAY"))
# Without its accent it is "and".
_IS = frozenset(("è", "é"))
_OPEN_MARKS = frozenset("¿¡")
_AUTHORED_REACH = 5
_GOODS_REACH = 6
# The longest time that opens a name: "今日子さん".
_NAME_MAX = 2
# Between what is bought and whom it is for.
_GIVEN_REACH = 6
_HEADED_MIN = 3
# With an accent "at" and "since", without one "has" and "of the".
_LITTLE = frozenset(("a", "des"))
# "C'est quoi", "qu'est-ce que": what stands before a word that is asked about.
_COPULAS = frozenset(("c", "l", "ce", "qu", "est", "cos", "o", "e", "a", "'", "-", "¿"))
# Between a part and the film it is in: "in that new film".
_WORK_REACH = 3


def is_called(place: Place) -> bool:
    """ "Mr Friday", "Manic Monday", "does Wednesday have a brother": somebody or something."""
    if _called(place) or _acts(place) or _ranks(place) or _played(place):
        return True
    return _defined(place) or _sung(place)


def _defined(place: Place) -> bool:
    """ "C'est quoi la Pentecôte", "qué es la Nochebuena": what a feast is, and not when.

    Nor is it a time where its day is asked for: "quand est Pâques"; "Pâques 2030" has a year.
    """
    start, sets = place.match.start, place.language.sets
    foreign = place.language.lower_names or place.language.plain_names
    if not start or not foreign or not place.ends:
        return False
    tokens = place.tokens[start : place.match.end]
    feast = any("HOLIDAY" in token.entries for token in tokens)
    named = tokens[-1].capital and tokens[-1].word in sets["given"]
    if not (feast or (named and place.language.lower_names)):
        return False
    words = {token.word for token in place.tokens[:start]}
    asked = sets["asking"] | sets["asking_when"]
    plain = asked | sets["be"] | sets["articles"] | _COPULAS
    return words <= plain and not words.isdisjoint(asked)


def _ranks(place: Place) -> bool:
    """ "A segunda via", "em quarta": an ordinal that the weekday is called by."""
    start, end, sets = place.match.start, place.match.end, place.language.sets
    if not sets["ranks"] or end - start > 2 or place.word(end - 1) not in sets["ranks"]:
        return False
    name = end - 1
    if place.word(name - 1) in sets["ranking"] or place.after_in("sources"):
        return True  # "em quarta", "a quinta do avô"
    articled = place.word(name - 1) in sets["articles"] | sets["determiners"]
    if articled and place.word(name - 2) in sets["be"] and name > 2:
        return True  # "quem é a segunda na foto"
    if not articled or place.ends or not place.after.isalpha():
        return False
    plain = ("followers", "prepositions", "past", "present", "be", "future", "events", "openers")
    return not any(map(place.after_in, plain))


def _played(place: Place) -> bool:
    """ "Who plays Tuesday in that film", "teach Friday to read": a part, and a pupil."""
    start, end, sets = place.match.start, place.match.end, place.language.sets
    if end - start > 1:
        return False
    if place.before_in("teaching"):
        return place.after_in("infinitive")
    if not place.before_in("portraying"):
        return False
    following = [token.word for token in place.tokens[end + 1 : end + 1 + _WORK_REACH]]
    return not sets["composed"].isdisjoint(following)


def is_titled(place: Place) -> bool:
    """ "Yesterday chords", "monday.example", "the day after tomorrow movie": a name of a work."""
    if place.tokens[place.match.start].written in _LITTLE and _is_little(place):
        return True
    return _titled(place) or (place.language.plain_names and _authored(place))


def _sung(place: Place) -> bool:
    """ "Who sang ruby tuesday", "who wrote blue monday": a work of two words, in small letters."""
    start, sets = place.match.start, place.language.sets
    if start < 3 or place.match.end - start > 1 or not place.ends or not _is_forename(place):
        return False
    if place.word(start - 3) in sets["scores"] and place.before not in sets["composed"]:
        return place.word(start - 2) in (
            sets["prepositions"] | sets["of"] | sets["infinitive"]
        )  # "chords for"
    return place.word(start - 2) in sets["singing"] and place.word(start - 3) in sets["roles"]


def is_attribute(place: Place) -> bool:
    """ "Pneus d'hiver", "ropa de verano", "冬のコート": what kind of thing, and not when.

    French, Spanish, Italian and Portuguese tell the kind by the missing article: "les photos de
    l'hiver" are of one. What happens in a season, or is kept a record of, is dated by it anyway.
    """
    if place.language.cjk:
        return _goods(place)
    start, tokens, sets = place.match.start, place.tokens, place.language.sets
    if place.match.end - start > 1 or "SEASON" not in tokens[start].entries:
        return False
    of = start - 1 - (place.before == "'")
    if of < 1 or place.word(of) not in sets["attributing"]:
        return False
    noun = tokens[of - 1]
    dated = sets["reports"] | sets["events"] | sets["seasonal"] | sets["prepositions"]
    if noun.word in dated or not noun.word.isalpha():
        return False
    return noun.entries.keys() <= _PARTS


def _goods(place: Place) -> bool:
    """ "冬のコート", "五月さん": what belongs to a season, and who is called like a month."""
    tokens, end, sets = place.tokens, place.match.end, place.language.sets
    following = "".join(token.word for token in tokens[end : end + _GOODS_REACH])
    honorifics = tuple(sets["honorifics"])
    if honorifics and following.startswith(honorifics):
        return True
    if following[:1] in sets["name_endings"] and following.startswith(honorifics, 1):
        return end - place.match.start <= _NAME_MAX  # "春子さん"
    first = tokens[place.match.start].entries
    if "DOW" in first and _is_favourite(place):
        return True
    if "HOLIDAY" in first and following.startswith(tuple(sets["asking_when"])):
        return True  # "復活祭はいつ"
    if "SEASON" not in first:
        return False
    end += place.after in sets["attributing"]
    following = "".join(token.word for token in tokens[end : end + _GOODS_REACH])
    return following.startswith(tuple(sets["goods"]))


def _is_favourite(place: Place) -> bool:
    """ "好きな曜日は土曜日": a day that is liked, and not one of them."""
    start, liking = place.match.start, place.language.sets["liking"]
    words = [token.word for token in place.tokens[max(0, start - _GOODS_REACH) : start]]
    return any(phrase in "".join(words) for phrase in liking)


def _acts(place: Place) -> bool:
    """ "Does Wednesday have a brother", "Julio tiene llave": who does something."""
    start, tokens = place.match.start, place.tokens
    if place.match.interval.bare is not Bare.NAME:
        return False
    articled = place.match.end - start == 2 and place.word(start) in place.language.sets["articles"]
    if articled and place.language.lower_names:
        return _opens_as_subject(place)
    if place.match.end - start > 1:
        return False
    given = tokens[start].word in place.language.sets["given"] and "MONTH" in tokens[start].entries
    if given and not start and place.after_in("be"):
        return True  # "avril est végétarienne ou pas", as somebody writes who uses no capitals
    if place.before_in("doing"):
        return not place.after_in("suiting") and place.after != "'"
    if place.language.lower_names:
        return _opens_as_subject(place)
    # "Can Wednesday read"; but "will Monday be ok", "can Friday still be moved".
    if "DOW" not in tokens[start].entries or not place.before_in("enabling") or place.ends:
        return False
    return not (place.after_in("suiting") or place.after_in("adverbs") or place.after_in("be"))


def _opens_as_subject(place: Place) -> bool:
    """ "Julio tiene llave", "Domenica ha la patente": a given name, and a verb of one person."""
    sets = place.language.sets
    name = place.match.end - 1
    if place.word(name) not in sets["given"]:
        return False
    if not place.tokens[name].capital and (place.before != "que" or place.after_in("be")):
        return False
    first = name - (place.word(name - 1) in sets["articles"])  # "o Abril é o nome da editora"
    if first and place.word(first - 1) not in ENDS | _OPEN_MARKS:
        return place.before == "que"  # "est-ce que Noël a le permis"
    verb = place.after
    if place.match.end < len(place.tokens) and place.tokens[place.match.end].written in _IS:
        return True
    if not verb.isalpha() or verb in sets["events"] | sets["reports"] | sets["openers"]:
        return False
    if verb in sets["prepositions"] | sets["articles"] | sets["followers"] - sets["perfect"]:
        return False
    return verb.endswith(_THIRD) or verb in sets["be"] | sets["perfect"]


def _authored(place: Place) -> bool:
    """ "Qui a peint Le Printemps", "wer schrieb Der Winter": a capital behind the verb."""
    start, end, tokens, sets = place.match.start, place.match.end, place.tokens, place.language.sets
    if not start:
        return False
    articled = tokens[start].word in sets["articles"]
    if place.language.lower_names:
        # "La Primavera di Botticelli": a season with a capital.
        name = tokens[start + articled] if end - start > articled else tokens[start]
        placed = place.word(start - (not articled)) in sets["articles"]
        if name.capital and placed and "SEASON" in name.entries:
            return True
    words = [token.word for token in tokens[max(0, start - _AUTHORED_REACH) : start]]
    if sets["authoring"].isdisjoint(words) or place.before_in("firm"):
        return False
    return tokens[start].capital and (tokens[start - 1].capital or articled)


def _titled(place: Place) -> bool:
    """ "Yesterday chords", "monday.example", "the day after tomorrow movie": a name."""
    end, at, sets = place.match.end, place.match.start - 1, place.language.sets
    at -= place.word(at) in sets["articles"]
    if place.word(at) in sets["of"] and place.word(at - 1) in sets["works"]:
        return True  # "the plot of Groundhog Day"
    if (
        _is_work_of(place)
        or _styled(place)
        or (_entitled if place.language.lower_names else _headed)(place)
    ):
        return True
    first = place.tokens[place.match.start]
    before = place.tokens[place.match.start - 1]
    today = not _TODAY.isdisjoint(first.entries)
    if today and first.capital and place.match.start > 1 and before.capital:
        small = not _SMALL.isdisjoint(before.entries)
        return small or not before.entries  # "USA Today", "Last Week Tonight"
    if place.after_in("works"):
        return not (place.before_in("prepositions") or first.word in sets["prepositions"])
    if place.after != "." or end + 1 >= len(place.tokens):
        return False
    last, stop, following = place.tokens[end - 1 : end + 2]
    return last.end == stop.start and stop.end == following.start and last.word.isalpha()


def _is_little(place: Place) -> bool:
    """ "Mon chien a 12 ans", "la marque des Mars": words that open a time with an accent only.

    Who writes none opens a sentence so: "a 15 ans, j'écoutais quoi".
    """
    start, tokens = place.match.start, place.tokens
    if tokens[start].written == "des":
        capital = tokens[place.match.end - 1].capital
        return capital and place.match.interval.kind is TimeKind.OPEN
    if not start or place.before in ENDS or "a" not in place.language.sets["perfect"]:
        return False
    return place.match.end - start > 1 and place.match.interval.grain >= Grain.DAY


def _entitled(place: Place) -> bool:
    """ "Chi recita in La domenica specialmente", "dans Un jour sans fin": a capital article."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    articles = place.language.sets["articles"]
    if not start:
        return False
    if any(token.capital and "NUMBER" in token.entries for token in tokens[start + 1 : end]):
        return True
    at = start if tokens[start].word in articles else start - 1
    if at < 1 or not tokens[at].capital or tokens[at].word not in articles:
        return False
    if place.word(at - 1) in ENDS | _OPEN_MARKS:
        return False
    return any(token.word.isalpha() and not token.capital for token in tokens)


def _is_work_of(place: Place) -> bool:
    """ "A Week in December": a length with a capital opens the name of a work."""
    start, tokens = place.match.start, place.tokens
    if start < _HEADED_MIN or place.language.plain_names or not place.before_in("prepositions"):
        return False
    count, unit = tokens[start - 3 : start - 1]
    counted = count.word in place.language.sets["per"] or "NUMBER" in count.entries
    return counted and count.capital and unit.capital and "UNIT" in unit.entries


def _headed(place: Place) -> bool:
    """ "Is The Day After Tomorrow any good", "who made The Last Five Years": all capitals.

    The words around it are small.
    """
    start, end, tokens = place.match.start, place.match.end, place.tokens
    if not start or end - start < _HEADED_MIN or place.language.plain_names:
        return False
    articles = place.language.sets["articles"]
    at = start if tokens[start].word in articles else start - 1
    named = at > 0 and tokens[at].capital and tokens[at].word in articles
    named = named and "UNIT" in tokens[end - 1].entries
    if not named and "DEICTIC" not in tokens[start].entries:
        return False
    if not all(token.capital for token in tokens[start:end]):
        return False
    return any(token.word.isalpha() and not token.capital for token in tokens)


def _styled(place: Place) -> bool:
    """ "The song Sunday Morning", "Friday Night Dinner": capitals where a time has none."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    # The first word of a text has a capital anyway: "is Next Month Designs closed".
    if place.language.plain_names or not start or (start > 1 and tokens[start - 1].capital):
        return False
    styled = 0
    for at in range(start, min(end + 1, len(tokens))):
        if tokens[at].capital and not _SMALL.isdisjoint(tokens[at].entries):
            styled = at + 1
    if not styled:
        return False
    owner = end if place.after == "'" and place.word(end + 1) == "s" else 0
    # A headline has a capital there, too: "Today's Weather Reminder".
    placed = start == 1 or place.before_in("prepositions")
    event = place.word(end + 2) in place.language.sets["events"]
    owned = owner and placed and not (event or place.telling)
    behind = end + 2 if owned else max(styled, end)  # "Tomorrow's Bread"
    after = tokens[behind : behind + 1]
    # "Last Week Tonight": two times side by side that are none together.
    titled = styled > end or any(token.capital and token.word != "i" for token in after)
    return titled or any(map(place.before_in, ("works", "mentions", "authoring")))


def owns_nothing(place: Place) -> bool:
    """ "Friday's or something": a possessive without what it owns is the name of a place."""
    end = place.match.end
    if place.after != "'" or place.word(end + 1) != "s":
        return False
    owned = place.word(end + 2)
    return not owned or owned in ENDS or owned == "or"


def is_introduced(place: Place) -> bool:
    """ "Mr Friday", "o cão se chama Sábado", "er heißt Dieter Freitag": said to be a name."""
    start = place.match.start
    if place.before_in("titles"):
        return not _rang(place)
    if place.language.sets["bearing"].isdisjoint(place.cues):
        return False
    return _bears(place, start - 1) or (_bears(place, start - 2) and _is_forename(place))


def _called(place: Place) -> bool:
    """ "Manic Monday", "our dog Sunday": the name of somebody or something."""
    match, sets = place.match, place.language.sets
    first = place.tokens[match.start]
    if is_introduced(place):
        return True
    if place.before == "," and place.word(match.start - 2) in sets["titles"]:
        return True  # "what's that restaurant called, Sunday"
    if _being(place) or _is_town(place) or _is_firm(place) or _is_needle(place):
        return True
    if first.word in sets["personal"] and match.end - match.start == 2:
        return place.tokens[match.end - 1].capital  # "conoces a Abril"
    if place.language.lower_names and (_is_owned_name(place) or _is_asked_after(place)):
        return True
    # Feasts are written with a capital, also where months are not; some people are called so.
    if "MONTH" in first.entries and place.language.lower_names and _is_had_by(place):
        return True  # "quel âge a juin", in small letters, too
    known = place.ends or first.word not in sets["given"]
    feast = "HOLIDAY" in first.entries and known
    if place.language.lower_names and first.capital and match.start and not feast:
        if place.before_in("sources") or place.before_in("personal"):
            return True
        return not place.before_in("prepositions") or place.before == "'" or _is_had_by(place)
    return _is_surname(place)


def _bears(place: Place, at: int) -> bool:
    """ "Le chat s'appelle vendredi", "o cão chama-se Sábado"; but "on s'appelle vendredi"."""
    sets = place.language.sets
    if not sets["reflexive"]:
        return place.word(at) in sets["bearing"]
    if place.word(at) in sets["reflexive"]:
        return place.word(at - 1) == "-" and place.word(at - 2) in sets["bearing"]
    own = at - 1 - (place.word(at - 1) == "'")
    if place.word(at) not in sets["bearing"] or place.word(own) not in sets["reflexive"]:
        return False
    return place.word(own - 1) not in sets["together"]


def _is_forename(place: Place) -> bool:
    """Whether the word before may be a name: not "heißt am Freitag", nor "heißt der Freitag"."""
    before, sets = place.tokens[place.match.start - 1], place.language.sets
    plain = ("articles", "prepositions", "determiners", "followers", "owners", "subjects")
    known = any(before.word in sets[name] for name in plain) or before.word in sets["auxiliaries"]
    return before.word.isalpha() and not before.entries and not known


def _is_had_by(place: Place) -> bool:
    """ "Quel âge a Juin": has, and no "at"."""
    if not place.match.start:
        return False
    before = place.tokens[place.match.start - 1]
    return before.written == "a" and "a" in place.language.sets["perfect"]


def _is_town(place: Place) -> bool:
    """ "A população de Natal": where, and not when."""
    start = place.match.start
    if not place.tokens[start].capital or not place.before_in("sources"):
        return False
    return place.word(start - 2) in place.language.sets["towns"]


def _is_firm(place: Place) -> bool:
    """ "Weingut März", "au Printemps Haussmann": whose wine it is, and which shop."""
    start, end, tokens = place.match.start, place.match.end, place.tokens
    if end - start > 1 or not tokens[start].capital:
        return False
    entries = tokens[start].entries
    if place.before_in("firms"):
        return "MONTH" in entries or "SEASON" in entries
    if "SEASON" not in entries or not place.language.lower_names or end >= len(tokens):
        return False
    return tokens[end].capital and tokens[end].word.isalpha() and not tokens[end].entries


def _is_needle(place: Place) -> bool:
    """ "L'ago da lana": no short month has an article, where it is a word of its own."""
    start, sets = place.match.start, place.language.sets
    first = place.tokens[start]
    if not place.language.lower_names or "MONTH" not in first.entries:
        return False
    if place.match.end - start > 1 or first.word not in sets["weak"]:
        return False
    at = start - 1 - (place.before == "'")
    return place.before == "'" and (place.word(at) in sets["articles"] or place.word(at) == "l")


def _is_owned_name(place: Place) -> bool:
    """ "El Viernes de Robinson": a weekday with a capital, and whose it is."""
    last = place.tokens[place.match.end - 1]
    return last.capital and "DOW" in last.entries and place.after_in("sources")


def _is_asked_after(place: Place) -> bool:
    """ "Où habite Noël", "che dice Natale della casa": who does what is asked, right behind it."""
    start, sets = place.match.start, place.language.sets
    first = place.tokens[start]
    if start not in (2, 3) or "HOLIDAY" not in first.entries or first.word not in sets["given"]:
        return False
    verb = place.tokens[start - 1]
    asked = place.word(start - 2) in sets["asking"]
    known = sets["be"] | sets["articles"] | sets["prepositions"] | sets["events"] | sets["sources"]
    return asked and verb.word.isalpha() and verb.word not in known and not verb.entries


def _is_surname(place: Place) -> bool:
    """ "Holly Christmas's number", "Ann Friday": a name before it."""
    match = place.match
    first = place.tokens[match.start]
    if not first.capital or match.start < 2 or match.end - match.start > 1:
        return False
    before = place.tokens[match.start - 1]
    if not before.capital or before.entries or place.word(match.start - 2) in ENDS:
        return False
    if place.after == "'":
        return True
    return not _FAMILY.isdisjoint(first.entries) and not place.before_in("followers")


def _rang(place: Place) -> bool:
    """ "Who called Friday": somebody rang; "a cat called Friday" has that name."""
    sets = place.language.sets
    caller = place.word(place.match.start - 2)
    rang = caller in sets["pronouns"] or caller in sets["subjects"]
    if place.word(place.match.start - 3) in sets["be"]:
        return False  # "is it called Mayday"
    return rang and place.before.endswith("ed")


def _being(place: Place) -> bool:
    """ "Our dog Sunday's vet", "Friday is my cat": who is meant is said beside the name."""
    beings = place.language.sets["beings"]
    if place.before in beings:
        owned = place.after == "'"
        return owned or not (place.ends or place.after_in("prepositions"))
    return place.after_in("be") and place.word(place.match.end + 2) in beings


def is_given_to(place: Place) -> bool:
    """ "Which gift is for April", "what did I buy for June": for whom, and not for when."""
    start, sets = place.match.start, place.language.sets
    first = place.tokens[start]
    if not first.capital or first.word not in sets["names"] or not place.before_in("arranged_for"):
        return False
    before = place.tokens[max(0, start - _GIVEN_REACH) : start]
    return any(token.word in sets["giving"] for token in before)


def is_person(place: Place) -> bool:
    """ "In August Wilson's play": a capital word with a possessive follows.

    Seasons are written small: "in Autumn's lunch box" is somebody's.
    """
    at = place.match.end
    last = place.tokens[at - 1]
    if last.capital and "SEASON" in last.entries and place.after == "'":
        return True
    return at < len(place.tokens) and place.tokens[at].capital and place.word(at + 1) == "'"
