import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { groupNames, type NoticeGroup, noticeGroups } from '@/lib/base/notices';
import type { NotificationState } from '@/lib/base/notification-info';
import type { TargetChoice } from './notification-types';

export interface NotificationFormProps extends Pick<NotificationState, 'mailServer' | 'publicUrl'> {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  /** Each resolves to false if it failed. */
  readonly onWebhook: (url: string, of: TargetChoice) => Promise<boolean>;
  readonly onMail: (address: string, of: TargetChoice, mayAnswer: boolean) => Promise<boolean>;
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
  const [groups, setGroups] = useState<readonly NoticeGroup[]>(['questions']);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const of = { project: project === everyProject ? undefined : project, groups };
    const isAdded = await (kind === 'webhook' ? onWebhook(address.trim(), of) : onMail(address.trim(), of, mayAnswer));
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
        <ProjectField projects={projects} project={project} onProject={setProject} />
      </div>
      <GroupBoxes groups={groups} onGroups={setGroups} />
      {kind === 'mail' && publicUrl !== undefined && (
        <AnswerBox checked={mayAnswer} onToggle={() => setMayAnswer(!mayAnswer)} />
      )}
      <div className="flex gap-2">
        <Button
          type="submit"
          variant="primary"
          size="sm"
          busy={busy}
          disabled={address.trim() === '' || groups.length === 0}
        >
          Add
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function ProjectField(props: {
  readonly projects: NotificationFormProps['projects'];
  readonly project: string;
  readonly onProject: (project: string) => void;
}) {
  const options = props.projects.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Field label="Project">
      {(field) => (
        <Select
          id={field.id}
          value={props.project}
          onValueChange={props.onProject}
          options={[{ value: everyProject, label: 'Every project' }, ...options]}
        />
      )}
    </Field>
  );
}

function GroupBoxes(props: {
  readonly groups: readonly NoticeGroup[];
  readonly onGroups: (groups: readonly NoticeGroup[]) => void;
}) {
  const { groups, onGroups } = props;
  const toggle = (group: NoticeGroup) =>
    onGroups(groups.includes(group) ? groups.filter((each) => each !== group) : [...groups, group]);
  return (
    <fieldset className="flex flex-wrap gap-x-3">
      <legend className="mb-0.5 text-muted text-xs">Notify of</legend>
      {noticeGroups.map((group) => (
        <span key={group} className="flex items-center text-ink text-sm">
          <Checkbox label={groupNames[group]} checked={groups.includes(group)} onToggle={() => toggle(group)} />
          <span aria-hidden>{groupNames[group]}</span>
        </span>
      ))}
    </fieldset>
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
