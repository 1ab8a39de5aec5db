//! Journal: typed records (core, learning, task), kept as JSONL (specification 003).
