"""Sentences whose vectors in full precision are kept beside a graph, to compare its own with."""

from __future__ import annotations

REFERENCES: tuple[str, ...] = (
    "The spare key is under the blue flower pot by the back door.",
    "Marta is allergic to walnuts.",
    "user: Yes, in May, I hope.",
    "Please always answer me in short bullet points.",
    "The build broke because the linker could not find libxml2.",
    "Ticket OPS-2291 is blocked until the certificate is renewed.",
    "When does my passport expire?",
    "Which of the two flats did they take in the end?",
    "assistant: Noted. The dentist moved the appointment to Thursday, 14 March, at half past nine.",
    "After the merger the Lisbon office kept its own payroll, which is why the July salaries were "
    "late for eleven people and early for two.",
    "When the printer on the second floor shows error 59.F0, open the rear cover, take out the "
    "transfer belt, and wait a full minute before you put it back.",
    "Mein Fahrrad hat seit gestern einen Platten.",
    "Le train pour Lyon part du quai numéro sept.",
    "El ascensor del edificio lleva dos semanas averiado.",
    "我下个月要搬到杭州去工作。",
    "Мы посадили три яблони за домом.",
)
