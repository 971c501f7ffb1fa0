import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { NotificationState } from '@/lib/base/notification-info';

export interface NotificationFormProps extends Pick<NotificationState, 'mailServer' | 'publicUrl'> {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  /** Each resolves to false if it failed. */
  readonly onWebhook: (url: string, project: string | undefined) => Promise<boolean>;
  readonly onMail: (address: string, project: string | undefined, mayAnswer: boolean) => Promise<boolean>;
}

const everyProject = '*';

/** Adds a webhook or a mail address. */
export function NotificationForm(props: NotificationFormProps) {
  const [kind, setKind] = useState<'webhook' | 'mail'>();
  if (kind !== undefined) return <AddressForm key={kind} {...props} kind={kind} onClose={() => setKind(undefined)} />;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <AddButton label="Add a webhook" onClick={() => setKind('webhook')} />
      {props.mailServer === undefined ? (
        <p className="min-w-0 flex-1 basis-56 text-muted text-xs">
          For mail, set <code className="break-all font-mono">CALLBOARD_SMTP_URL</code> and{' '}
          <code className="break-all font-mono">CALLBOARD_MAIL_FROM</code>.
        </p>
      ) : (
        <AddButton label="Add a mail address" onClick={() => setKind('mail')} />
      )}
    </div>
  );
}

function AddressForm({
  kind,
  projects,
  mailServer,
  publicUrl,
  onWebhook,
  onMail,
  onClose,
}: NotificationFormProps & { readonly kind: 'webhook' | 'mail'; readonly onClose: () => void }) {
  const [address, setAddress] = useState('');
  const [project, setProject] = useState(everyProject);
  const [mayAnswer, setMayAnswer] = useState(false);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const only = project === everyProject ? undefined : project;
    const isAdded = await (kind === 'webhook'
      ? onWebhook(address.trim(), only)
      : onMail(address.trim(), only, mayAnswer));
    setBusy(false);
    if (isAdded) onClose();
  };
  return (
    <form
      aria-label={kind === 'webhook' ? 'Add a webhook' : 'Add a mail address'}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      className="flex flex-col gap-3 px-4 py-3"
    >
      <div className="grid gap-3 sm:grid-cols-[1fr_12rem]">
        <Field
          label={kind === 'webhook' ? 'Address of the webhook' : 'Mail address'}
          hint={kind === 'mail' && mailServer ? `Sent by ${mailServer.host} from ${mailServer.from}` : undefined}
        >
          {(field) => (
            <Input
              {...field}
              autoFocus
              required
              type={kind === 'webhook' ? 'url' : 'email'}
              placeholder={kind === 'webhook' ? 'https://hooks.example.org/callboard' : 'ana@example.org'}
              maxLength={2000}
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Questions of">
          {(field) => (
            <Select
              id={field.id}
              value={project}
              onValueChange={setProject}
              options={[
                { value: everyProject, label: 'Every project' },
                ...projects.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
        </Field>
      </div>
      {kind === 'mail' && publicUrl !== undefined && (
        <AnswerBox checked={mayAnswer} onToggle={() => setMayAnswer(!mayAnswer)} />
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" size="sm" busy={busy} disabled={address.trim() === ''}>
          Add
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function AnswerBox({ checked, onToggle }: { readonly checked: boolean; readonly onToggle: () => void }) {
  return (
    <div className="flex items-start gap-1">
      <Checkbox label="May answer by a link, without signing in" checked={checked} onToggle={onToggle} />
      <p className="mt-1.5 text-ink text-sm">
        May answer by a link, without signing in{' '}
        <span className="text-muted">(whoever has the mail can then answer its question)</span>
      </p>
    </div>
  );
}

function AddButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button size="sm" icon={<Plus aria-hidden className="size-3.5" />} onClick={onClick}>
      {label}
    </Button>
  );
}
