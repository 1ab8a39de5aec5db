//! Compartments: the working memory of a run, a session, a plan (specification 004).
