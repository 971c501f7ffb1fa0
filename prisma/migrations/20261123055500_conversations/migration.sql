-- Conversations: runs that follow each other, with what their agent remembers in a session. A run that waits for the turn before has
-- no workflow yet.
CREATE TABLE "Conversation" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "turns" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Conversation_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "Conversation_projectId_updatedAt_id_idx" ON "Conversation"("projectId", "updatedAt" DESC, "id" DESC);

ALTER TABLE "Conversation" ADD CONSTRAINT "Conversation_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "Run" ADD COLUMN "conversationId" TEXT,
ADD COLUMN "turn" INTEGER,
ADD COLUMN "inLine" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "attachments" TEXT;

ALTER TABLE "Run" ADD CONSTRAINT "Run_conversationId_fkey" FOREIGN KEY ("conversationId") REFERENCES "Conversation"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Most runs belong to no conversation, and few wait in line. Workers look for those every half a minute.
CREATE UNIQUE INDEX "Run_conversation_turns_idx" ON "Run"("conversationId", "turn") WHERE "conversationId" IS NOT NULL;
CREATE INDEX "Run_in_line_idx" ON "Run"("conversationId") WHERE "inLine" AND status = 'queued';
