'use client';

import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OwnAccountPart } from './own-account-types';
import { useAttempt } from './proof';

/** Lists passkeys, makes one in this browser, and removes them. */
export function PasskeysSection({ account, services, onChange }: OwnAccountPart) {
  // The browser's own errors name what the person did, such as closing its dialog.
  const { fault, isBusy, attempt } = useAttempt();
  return (
    <>
      <ul aria-label="Passkeys" className="divide-y">
        {account.passkeys.map((passkey) => (
          <PasskeyItem
            key={passkey.id}
            passkey={passkey}
            onRemove={() => void attempt(async () => onChange(await services.deletePasskey(passkey.id)))}
          />
        ))}
      </ul>
      {account.canHavePasskeys ? (
        <NewPasskey
          needsPassword={account.hasPassword}
          isBusy={isBusy}
          onAdd={(name, password, done) =>
            void attempt(async () => {
              const options = await services.passkeyOptions(password);
              const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
              const credential = await navigator.credentials.create({ publicKey });
              onChange(await services.savePasskey(name, JSON.stringify(credential)));
              done();
            })
          }
        />
      ) : (
        <p className="px-4 py-3 text-muted text-xs">
          Browsers make passkeys only for names. Open Callboard at http://localhost or at its public address.
        </p>
      )}
      {fault !== undefined && (
        <p role="alert" className="px-4 pb-3 text-bad text-xs">
          {fault}
        </p>
      )}
    </>
  );
}

interface PasskeyItemProps {
  readonly passkey: OwnAccountPart['account']['passkeys'][number];
  readonly onRemove: () => void;
}

function PasskeyItem({ passkey, onRemove }: PasskeyItemProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
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
      <Button size="sm" aria-label={`Remove ${passkey.name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

interface NewPasskeyProps {
  readonly needsPassword: boolean;
  readonly isBusy: boolean;
  /** Calls `done` when the passkey is stored. */
  readonly onAdd: (name: string, password: string, done: () => void) => void;
}

function NewPasskey({ needsPassword, isBusy, onAdd }: NewPasskeyProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  return (
    <form
      className="flex flex-wrap items-center gap-3 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        setPassword('');
        onAdd(name.trim() || 'Passkey', password, () => setName(''));
      }}
    >
      <div className="w-56 max-w-full">
        <Input
          aria-label="Name of the passkey"
          placeholder="Name, such as my laptop"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {needsPassword && (
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
      <Button type="submit" disabled={isBusy || (needsPassword && password === '')}>
        Add a passkey
      </Button>
      {!needsPassword && <p className="text-muted text-xs">This works for ten minutes after you sign in.</p>}
    </form>
  );
}
