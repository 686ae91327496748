"""The cells of the notebooks that journeys write for themselves."""

SETUP = "import time\nimport labkit as lk\nlk.setup()"
LAB = 'lab = lk.Lab("graph_growth")\nlab'
