'use client';

import { Plus, Scale } from 'lucide-react';
import Link from 'next/link';
import { useRef, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/select';
import { TimeAgo } from '@/components/ui/time-ago';
import { type PolicyBreach, type PolicyRule, type PolicyRuleBody, ruleSentence } from '@/lib/cards/policy/rule';
import { RuleForm } from './rule-form';

interface ShownRule extends PolicyRule {
  /** Null for a rule of every project. */
  readonly project: string | null;
  readonly by: string;
  readonly at: number;
}

interface ShownPolicy {
  readonly rules: readonly ShownRule[];
  readonly breaches: readonly PolicyBreach[];
  readonly mayChange: boolean;
}

/** Each rejects with an Error whose message users may see, and returns what is there then. Without a project: rules of every project. */
interface PolicyServices {
  read(project: string | undefined): Promise<ShownPolicy>;
  save(project: string | undefined, rule: PolicyRuleBody): Promise<ShownPolicy>;
  remove(project: string | undefined, name: string): Promise<ShownPolicy>;
}

export interface PolicyViewProps {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  /** The project that is chosen first; `undefined` for every project. */
  readonly project: string | undefined;
  readonly first: ShownPolicy;
  readonly services: PolicyServices;
}

const everywhere = 'installation';
const box = 'rounded-lg border bg-surface shadow-card';

/** What is shown of the chosen place, and the requests that change it. */
function usePolicy({ project: chosen, first, services }: PolicyViewProps) {
  const [project, setProject] = useState(chosen);
  const [policy, setPolicy] = useState(first);
  const [fault, setFault] = useState<string>();
  const asked = useRef(chosen);
  const choose = async (next: string | undefined) => {
    setProject(next);
    setFault(undefined);
    asked.current = next;
    try {
      const found = await services.read(next);
      // An answer for another place must not replace this one.
      if (asked.current === next) setPolicy(found);
    } catch (error) {
      if (asked.current !== next) return;
      setPolicy({ rules: [], breaches: [], mayChange: false });
      setFault(error instanceof Error ? error.message : 'The rules cannot be read.');
    }
  };
  const remove = async ({ name }: ShownRule) => {
    setFault(undefined);
    try {
      setPolicy(await services.remove(project, name));
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The rule was not removed. Try again.');
    }
  };
  const save = async (rule: PolicyRuleBody) => setPolicy(await services.save(project, rule));
  return { project, policy, fault, choose, remove, save };
}

/** The rules of a project or of all, and what breaks them in the draft of the project. */
export function PolicyView(props: PolicyViewProps) {
  const { projects } = props;
  const { project, policy, fault, choose, remove, save } = usePolicy(props);
  const [edited, setEdited] = useState<ShownRule | 'new'>();
  const [removed, setRemoved] = useState<ShownRule>();
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Rules of"
          className="max-w-64"
          value={project ?? everywhere}
          onValueChange={(value) => void choose(value === everywhere ? undefined : value)}
          options={[
            { value: everywhere, label: 'Every project' },
            ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {policy.mayChange && (
          <Button icon={<Plus aria-hidden className="size-3.5" />} onClick={() => setEdited('new')}>
            New rule
          </Button>
        )}
      </div>
      {fault !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
      <Breaches project={project} breaches={policy.breaches} />
      {policy.rules.length === 0 ? (
        <EmptyState icon={<Scale aria-hidden />} title="No rules">
          A rule can demand a hook round calls, an approval, or only certain servers and models.
        </EmptyState>
      ) : (
        <ul aria-label="Rules" className={`${box} divide-y`}>
          {policy.rules.map((rule) => (
            <RuleItem
              key={rule.id}
              rule={rule}
              isElsewhere={rule.project === null && project !== undefined}
              mayChange={policy.mayChange}
              onEdit={() => setEdited(rule)}
              onRemove={() => setRemoved(rule)}
            />
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <RuleForm
          rule={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSave={async (rule) => {
            await save(rule);
            setEdited(undefined);
          }}
        />
      )}
      {removed !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setRemoved(undefined)}
          title={`Remove the rule ${removed.name}?`}
          confirm="Remove rule"
          onConfirm={() => {
            setRemoved(undefined);
            void remove(removed);
          }}
        >
          Runs that begin or go on from now on do not meet it. The audit log keeps who removed it.
        </ConfirmDialog>
      )}
    </div>
  );
}

interface RuleItemProps {
  readonly rule: ShownRule;
  /** True for a rule of every project that is shown with those of one. */
  readonly isElsewhere: boolean;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function RuleItem({ rule, isElsewhere, mayChange, onEdit, onRemove }: RuleItemProps) {
  const { name, level, demand, by, at } = rule;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium text-ink text-sm">
          {name}
          <Badge tone={level === 'block' ? 'bad' : 'warn'}>{level === 'block' ? 'blocks' : 'warns'}</Badge>
          {isElsewhere && <Badge>every project</Badge>}
        </p>
        <p className="text-ink text-sm [overflow-wrap:anywhere]">{ruleSentence(demand)}</p>
        <p className="text-muted text-xs">
          set by {by} <TimeAgo at={at} />
        </p>
      </div>
      {mayChange && !isElsewhere && (
        <div className="flex gap-2">
          <Button size="sm" aria-label={`Change ${name}`} onClick={onEdit}>
            Change
          </Button>
          <Button size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </li>
  );
}

/** What in the draft breaks rules, with the way to it. */
function Breaches({
  project,
  breaches,
}: Pick<PolicyViewProps, 'project'> & { readonly breaches: readonly PolicyBreach[] }) {
  if (project === undefined || breaches.length === 0) return null;
  return (
    <section aria-label="Broken in the draft" className={box}>
      <h2 className="border-b px-4 py-2 font-medium text-ink text-sm">
        Broken in the draft <span className="font-normal text-faint tabular">{breaches.length}</span>
      </h2>
      <ul className="divide-y">
        {breaches.map(({ rule, message, file, line }) => (
          <li key={`${rule.id} ${message} ${file}`} className="px-4 py-2.5 text-sm">
            <span className={rule.level === 'block' ? 'text-bad' : 'text-ink'}>{message}</span>
            {file !== undefined && (
              <>
                {' '}
                <Link
                  href={`/p/${project}`}
                  className="font-mono text-accent text-xs underline-offset-2 hover:underline"
                >
                  {file}:{line ?? 1}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
