-- Alerts and the dashboard of one project read only its own sums.
CREATE INDEX "RunTally_projectId_kind_at_idx" ON "RunTally"("projectId", "kind", "at");
