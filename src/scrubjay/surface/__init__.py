"""How people and programs reach a memory; surfaces translate, they never decide."""
