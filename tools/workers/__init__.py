"""Run bulk work in this process or in Ray actors."""
