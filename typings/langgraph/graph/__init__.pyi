# LangGraph's package marker leaves its subpackage out of type checking: what is used of it, in types.
from langgraph.graph.state import StateGraph as StateGraph

START: str
END: str
