//! Conversations: turns, facts and summaries of what was said, kept as Markdown (specification 002).
