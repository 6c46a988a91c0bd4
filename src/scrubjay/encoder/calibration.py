"""Measuring how alike unrelated texts look to an encoder."""

from __future__ import annotations

import numpy as np

from scrubjay.encoder.base import Calibration, Encoder
from scrubjay.types.arrays import VectorArray

# Things people tell an agent, on unrelated matters, in several languages and lengths.
CALIBRATION_TEXTS: tuple[str, ...] = (
    "The spare key is under the blue flower pot by the back door.",
    "Marta is allergic to walnuts.",
    "Our rent goes up by forty euros in October.",
    "Please always answer me in short bullet points.",
    "The build broke because the linker could not find libxml2.",
    "I ran my first half marathon in two hours and four minutes.",
    "Grandfather worked as a lighthouse keeper until 1968.",
    "The invoice from the plumber is still unpaid.",
    "He thinks the new logo looks like a potato.",
    "My passport expires on 3 June 2031.",
    "We switched the checkout service from Redis to a plain table.",
    "The cat needs her drops twice a day for a week.",
    "Volcanic soil makes the wine of that island taste of smoke.",
    "Ticket OPS-2291 is blocked until the certificate is renewed.",
    "She plays second violin in the city orchestra.",
    "Lunch with the Norwegian partners was moved to Thursday.",
    "I prefer trains to planes whenever the trip is under six hours.",
    "The third season was filmed in an abandoned hospital.",
    "Dad's blood pressure was 145 over 90 this morning.",
    "A kilo of the light roast lasts us about three weeks.",
    "Nobody in the village has seen a wolf since the war.",
    "The professor cancelled the seminar on Byzantine law.",
    "Set the thermostat to nineteen degrees at night.",
    "Two of the solar panels were cracked by hail.",
    "Ana and Piotr are getting married in a barn near Kraków.",
    "The warranty does not cover damage by salt water.",
    "I finally understood why the tests only fail on Mondays.",
    "Chess club meets in the library on Tuesdays at six.",
    "They named their boat after a brand of biscuits.",
    "Last winter the pipes froze and the cellar flooded.",
    "The museum lends out its smaller paintings to schools.",
    "My sister's dog is afraid of umbrellas.",
    "We agreed to ship the beta without dark mode.",
    "The dentist said the crown will hold another ten years.",
    "Oranges from the corner shop are sweeter than the market's.",
    "He learned to weld so that he could mend his own bicycle frames.",
    "The password manager is shared with everyone in finance.",
    "It took the ferry eleven hours because of the fog.",
    "Rosa wrote her thesis on how octopuses taste with their arms.",
    "There are four unread letters from the tax office.",
    "The new intern speaks Tagalog, Malay and a little Dutch.",
    "I would rather have a window seat.",
    "After the merger the Lisbon office kept its own payroll, which is why the July salaries were "
    "late for eleven people and early for two.",
    "When the printer on the second floor shows error 59.F0, open the rear cover, take out the "
    "transfer belt, and wait a full minute before you put it back.",
    "We met on a night bus in Bolivia, lost each other's numbers, and ran into each other again "
    "four years later in a queue for bread.",
    "Morgen kommt der Schornsteinfeger um acht Uhr.",
    "Mein Fahrrad hat seit gestern einen Platten.",
    "Le train pour Lyon part du quai numéro sept.",
    "Elle a vendu sa collection de timbres à un voisin.",
    "Mi abuela guarda las recetas en una caja de zapatos.",
    "El ascensor del edificio lleva dos semanas averiado.",
    "La riunione con il notaio è stata rinviata.",
    "Ela prefere café sem açúcar depois do almoço.",
    "Psa trzeba zaszczepić przed wyjazdem w góry.",
    "Мы посадили три яблони за домом.",
    "Самолёт из Баку опоздал на два часа.",
    "我下个月要搬到杭州去工作。",
    "会議室の鍵は受付にあります。",
    "우리 회사는 금요일마다 일찍 끝난다.",
    "موعد طبيب الأسنان يوم الأحد صباحا.",
)


def mean_pair_cosine(queries: VectorArray, documents: VectorArray) -> float:
    """The mean cosine of each query with every document but the one in its own row."""
    count = len(documents)
    all_pairs = queries.sum(axis=0, dtype=np.float64) @ documents.sum(axis=0, dtype=np.float64)
    own_pairs = np.einsum("ij,ij->", queries, documents, dtype=np.float64)
    return float(all_pairs - own_pairs) / (count * (count - 1))


def measure_calibration(encoder: Encoder) -> Calibration:
    """The calibration of any encoder: one side asked, the other told, on unrelated sentences.

    Questions against documents, because that is where the floor is applied; models with prefixes
    put two documents a little closer together.
    """
    queries = encoder.encode_queries(CALIBRATION_TEXTS)
    documents = encoder.encode_documents(CALIBRATION_TEXTS)
    return Calibration(mean_pair_cosine(queries, documents))
