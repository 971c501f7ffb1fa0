-- Finds the hooks of a run without reading its other events, to list what one hook changed over many runs.
CREATE INDEX "Event_hooks_idx" ON "Event" ("runId", "step", "seq") WHERE kind IN ('hook.started', 'hook.ended');
