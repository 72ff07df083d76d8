"""Motions whose contacts are easy to miss, with certified answers, and a script that asks any library about them."""
