-- What a call needs to go on after its run was suspended, such as the state of an MCP server. It is outside the log, which people can read.
CREATE TABLE "KeptForCall" (
    "runId" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "KeptForCall_pkey" PRIMARY KEY ("runId","step")
);

ALTER TABLE "KeptForCall" ADD CONSTRAINT "KeptForCall_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
