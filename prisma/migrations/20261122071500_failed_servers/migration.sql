-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "failedServers" JSONB;
