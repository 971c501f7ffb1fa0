import Link from 'next/link';
import { useEffect, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { MirrorSettings } from '@/lib/base/mirror';
import { secretsHref } from '@/lib/client/project-address';

export interface MirrorFormProps {
  readonly project: string;
  /** The mirror that is changed, or null for a new one. */
  readonly known: MirrorSettings | null;
  readonly secretNames: () => Promise<readonly string[]>;
  /** Resolves to a sentence if it failed. */
  readonly onSave: (mirror: MirrorSettings) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** Asks where the history of a project is pushed, and with which secret. */
export function MirrorForm({ project, known, secretNames, onSave, onClose }: MirrorFormProps) {
  const [url, setUrl] = useState(known?.url ?? '');
  const [user, setUser] = useState(known?.user ?? 'git');
  const [secret, setSecret] = useState(known?.secret ?? '');
  const names = useNames(secretNames);
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setFault(await onSave({ url: url.trim(), user: user.trim(), secret: secret.trim() }));
    setBusy(false);
  };
  const title = known === null ? 'Set up a mirror' : 'Edit the mirror';
  return (
    <Dialog
      open
      width="md"
      onOpenChange={(open) => !open && onClose()}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button form="mirror-form" type="submit" variant="primary" busy={busy}>
            Save and push
          </Button>
        </>
      }
    >
      <form
        id="mirror-form"
        aria-label={title}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void save();
        }}
      >
        <p className="text-muted text-sm">
          Each publication, promotion and roll back is pushed to this repository: <code>main</code>, labels as branches,
          and revisions as tags. Nothing is ever forced, and drafts stay here.
        </p>
        <Field label="Address" hint="As git clone takes it over HTTPS. An empty repository is best.">
          {(field) => (
            <Input
              {...field}
              autoFocus
              required
              type="url"
              maxLength={2_000}
              placeholder="https://git.example.org/team/office.git"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="User name" hint="The name that goes with the token.">
            {(field) => (
              <Input
                {...field}
                required
                maxLength={100}
                value={user}
                onChange={(event) => setUser(event.target.value)}
              />
            )}
          </Field>
          <SecretField project={project} names={names} secret={secret} onSecret={setSecret} />
        </div>
        <p role="alert" className="text-bad text-sm empty:hidden">
          {fault}
        </p>
      </form>
    </Dialog>
  );
}

function SecretField(props: {
  readonly project: string;
  readonly names: readonly string[];
  readonly secret: string;
  readonly onSecret: (name: string) => void;
}) {
  const { project, names, secret, onSecret } = props;
  const listId = useId();
  const hint = (
    <>
      Its name. Tokens are kept in{' '}
      <Link href={secretsHref(project)} className="text-accent underline underline-offset-2">
        Settings, Secrets
      </Link>
      .
    </>
  );
  return (
    <Field label="Secret with the token" hint={hint}>
      {(field) => (
        <>
          <Input
            {...field}
            required
            list={listId}
            spellCheck={false}
            maxLength={100}
            placeholder="GIT_TOKEN"
            className="font-mono"
            value={secret}
            onChange={(event) => onSecret(event.target.value)}
          />
          <datalist id={listId}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** Names help in typing. Without them the name is typed, and the server says whether there is such a secret. */
function useNames(secretNames: MirrorFormProps['secretNames']): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isGone = false;
    secretNames().then(
      (found) => {
        if (!isGone) setNames(found);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [secretNames]);
  return names;
}
