import { AppError } from '@/lib/base/app-error';
import { type SealingKey, sealingKey } from '@/lib/store/sealing';
import { webEnv } from './settings/web-env';

/** The key with which this process seals values. Throws AppError `unavailable` where it has none. */
export function ownSealingKey(): SealingKey {
  const { sealingKey: publicKey } = webEnv();
  if (publicKey === undefined) {
    throw new AppError('unavailable', 'This process has no key for secrets. Start Callboard with npm start.');
  }
  return sealingKey(publicKey);
}
