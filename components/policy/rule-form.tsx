'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { PolicyRuleBody } from '@/lib/cards/policy/rule';
import { CallFields } from './call-fields';
import { emptyRule, ruleOfTyped, type TypedRule, typedRule } from './typed-rule';

const kinds = [
  { value: 'hook', label: 'Calls go through a hook' },
  { value: 'approval', label: 'A person approves calls' },
  { value: 'servers', label: 'Only these servers' },
  { value: 'models', label: 'Only these models' },
  { value: 'no_shell', label: 'No shell' },
  { value: 'no_python', label: 'No Python' },
  { value: 'no_hidden_characters', label: 'No hidden characters or look-alike names' },
] as const;

const levels = [
  { value: 'block', label: 'Block: nothing that breaks it is published or run' },
  { value: 'warn', label: 'Warn: it is said, and nothing is stopped' },
] as const;

export interface RuleFormProps {
  /** The rule that is changed; `undefined` for a new one. */
  readonly rule: PolicyRuleBody | undefined;
  /** Rejects with an Error whose message users may see. */
  readonly onSave: (rule: PolicyRuleBody) => Promise<void>;
  readonly onClose: () => void;
}

/** Takes a rule. What is wrong with it is said in the dialog, and nothing that was typed is lost. */
export function RuleForm({ rule, onSave, onClose }: RuleFormProps) {
  const [typed, setTyped] = useState<TypedRule>(rule === undefined ? emptyRule : typedRule(rule));
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const change = (part: Partial<TypedRule>) => setTyped({ ...typed, ...part });
  const save = async () => {
    const made = ruleOfTyped(typed, rule?.demand);
    if (typeof made === 'string') {
      setFault(made);
      return;
    }
    setBusy(true);
    try {
      await onSave(made);
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The rule could not be stored.');
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={rule === undefined ? 'New rule' : `Rule ${rule.name}`}
      description="Runs that begin or go on from now on meet it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="rule" variant="primary" busy={isBusy}>
            Store
          </Button>
        </>
      }
    >
      <form
        id="rule"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {rule === undefined && (
          <Field label="Name" hint="Refusals name it.">
            {(ids) => (
              <Input
                {...ids}
                autoFocus
                value={typed.name}
                maxLength={100}
                placeholder="Mail is redacted"
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
            )}
          </Field>
        )}
        <Field label="Demand">
          {(ids) => (
            <Select {...ids} value={typed.kind} onValueChange={(kind) => change(kindOf(kind))} options={[...kinds]} />
          )}
        </Field>
        {(typed.kind === 'hook' || typed.kind === 'approval') && <CallFields typed={typed} onChange={change} />}
        {(typed.kind === 'servers' || typed.kind === 'models') && <AllowField typed={typed} onChange={change} />}
        <Field label="Level" error={fault}>
          {(ids) => (
            <Select
              {...ids}
              value={typed.level}
              onValueChange={(level) => change({ level: level === 'warn' ? 'warn' : 'block' })}
              options={[...levels]}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function kindOf(text: string): Partial<TypedRule> {
  const found = kinds.find(({ value }) => value === text);
  return found === undefined ? {} : { kind: found.value };
}

interface AllowFieldProps {
  readonly typed: TypedRule;
  readonly onChange: (part: Partial<TypedRule>) => void;
}

const allowHints = {
  servers:
    'One in each line: a host such as *.example.org, or a whole command line such as npx -y @team/*. * stands for any text.',
  models: 'One in each line, with the provider: openai.gpt-*. * stands for any text.',
} as const;

function AllowField({ typed, onChange }: AllowFieldProps) {
  return (
    <Field label="Allowed" hint={typed.kind === 'servers' ? allowHints.servers : allowHints.models}>
      {(ids) => (
        <textarea
          {...ids}
          rows={4}
          spellCheck={false}
          className="w-full rounded border bg-surface px-2 py-1.5 font-mono text-ink text-sm"
          value={typed.allow}
          onChange={(event) => onChange({ allow: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}
