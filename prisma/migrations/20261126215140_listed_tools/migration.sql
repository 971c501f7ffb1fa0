-- AlterTable
ALTER TABLE "Revision" ADD COLUMN     "listed" TEXT;
