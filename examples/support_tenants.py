"""Support with two tenants: apart from each other, with a handbook that both ask."""

from __future__ import annotations

from scrubjay import Memory, bank_for


def main() -> dict[str, list[str]]:
    """What each tenant's agent finds."""
    with Memory.open(":memory:") as memory:
        memory.retain("Refunds are paid within 14 days.", bank="handbook")
        memory.retain("Acme's invoices go to 4 Quay Street.", bank=bank_for("acme"))
        memory.retain("Globex's invoices go to 9 Mill Lane.", bank=bank_for("globex"))
        found = {}
        for tenant in ("acme", "globex"):
            banks = [bank_for(tenant), "handbook"]
            asked = ("Where do invoices go?", "When are refunds paid?")
            found[tenant] = [memory.recall_across(one, banks)[0].text for one in asked]
        # Offboarding: nothing of the tenant is left.
        memory.delete_bank(bank_for("globex"))
        found["banks left"] = sorted(info.name for info in memory.banks())
        return found


if __name__ == "__main__":
    for name, texts in main().items():
        print(name, texts)
