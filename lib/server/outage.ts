import { AppError } from '@/lib/base/app-error';
import { outageOf } from '@/lib/store/outage';
import { diskFullSentence, isDiskScarce } from './disk-space';
import { givenDataFolder, isDatabaseEmbedded } from './settings/process-env';

/**
 * Turns an outage into an AppError `unavailable` that names the disk or the database. Returns `undefined` for every other
 * error.
 */
export function unavailable(error: unknown): AppError | undefined {
  const outage = outageOf(error);
  if (outage === undefined) return undefined;
  return new AppError('unavailable', sentence(outage, isFileError(error)));
}

function sentence(outage: NonNullable<ReturnType<typeof outageOf>>, ofFile: boolean): string {
  const ownDisk = ofFile || isDatabaseEmbedded() ? givenDataFolder() : undefined;
  switch (outage) {
    case 'disk_full':
      return ownDisk === undefined
        ? 'The disk of the database server is full. Free some space on it. Then Callboard continues by itself.'
        : diskFullSentence(ownDisk);
    case 'overloaded':
      return 'The database has no free connection or memory. Try again in a moment.';
    case 'unreachable':
      // When Postgres cannot write its log on a full disk, it ends, and starts again once there is space.
      if (ownDisk !== undefined && isDiskScarce(ownDisk)) return diskFullSentence(ownDisk);
      return 'The database cannot be reached. It is being started again; try once more in a moment.';
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
