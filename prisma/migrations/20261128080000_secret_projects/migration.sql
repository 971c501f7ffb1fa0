-- AlterTable
ALTER TABLE "Secret" ADD COLUMN     "projects" TEXT[] DEFAULT ARRAY[]::TEXT[];
