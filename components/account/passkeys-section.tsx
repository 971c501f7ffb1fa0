'use client';

import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OwnAccountPart } from './own-account-types';

/** Lists passkeys, makes one in this browser, and removes them. */
export function PasskeysSection({ account, services, onChange }: OwnAccountPart) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(undefined);
    try {
      await work();
    } catch (error) {
      // The browser's own errors name what the person did, such as closing its dialog.
      setFault(error instanceof Error ? error.message : 'No passkey was made. Try again.');
    }
    setBusy(false);
  };
  const add = () =>
    attempt(async () => {
      const options = await services.passkeyOptions(password);
      setPassword('');
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
      const credential = await navigator.credentials.create({ publicKey });
      onChange(await services.savePasskey(name.trim() || 'Passkey', JSON.stringify(credential)));
      setName('');
    });
  return (
    <>
      <ul aria-label="Passkeys" className="divide-y">
        {account.passkeys.map((passkey) => (
          <li key={passkey.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <Fingerprint aria-hidden className="size-4 shrink-0 text-faint" />
            <div className="min-w-0 flex-1 basis-52">
              <p className="break-all font-medium text-ink text-sm">{passkey.name}</p>
              <p className="text-muted text-xs">
                made <TimeAgo at={passkey.createdAt} /> ·{' '}
                {passkey.usedAt === null ? (
                  'not used yet'
                ) : (
                  <>
                    used <TimeAgo at={passkey.usedAt} />
                  </>
                )}
              </p>
            </div>
            <Button
              size="sm"
              aria-label={`Remove ${passkey.name}`}
              onClick={() => void attempt(async () => onChange(await services.deletePasskey(passkey.id)))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form
        className="flex flex-wrap items-center gap-3 px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        {account.canHavePasskeys ? (
          <>
            <div className="w-56 max-w-full">
              <Input
                aria-label="Name of the passkey"
                placeholder="Name, such as my laptop"
                maxLength={60}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </div>
            {account.hasPassword && (
              <div className="w-56 max-w-full">
                <Input
                  aria-label="Your password, for the passkey"
                  placeholder="Your password"
                  type="password"
                  autoComplete="current-password"
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              </div>
            )}
            <Button type="submit" disabled={isBusy || (account.hasPassword && password === '')}>
              Add a passkey
            </Button>
            {!account.hasPassword && (
              <p className="text-muted text-xs">This works for ten minutes after you sign in.</p>
            )}
          </>
        ) : (
          <p className="text-muted text-xs">
            Browsers make passkeys only for names. Open Callboard at http://localhost or at its public address.
          </p>
        )}
        {fault !== undefined && (
          <p role="alert" className="text-bad text-xs">
            {fault}
          </p>
        )}
      </form>
    </>
  );
}
