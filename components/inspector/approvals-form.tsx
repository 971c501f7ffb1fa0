'use client';

import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { settingsName } from '@/lib/cards/file-role';
import { fieldOf } from '@/lib/cards/read/read-field';
import { approvalRuleWords } from './approval-words';
import { fieldFaults } from './field-faults';
import { below, type ValueField } from './field-kinds';
import { useDocument, useField, type ValuePlace } from './field-place';
import { FoldedGroup } from './group';
import { addEdit, moveEdit } from './list-edits';
import { ValueFieldInput } from './value-input';

const effects = ['allow', 'ask', 'deny'];

const projectFields: readonly ValueField[] = [
  {
    kind: 'choice',
    path: ['approvals', 'default'],
    label: 'Calls that no rule below is about',
    options: effects,
    unset: 'allow',
  },
  {
    kind: 'choice',
    path: ['approvals', 'mode'],
    label: 'Calls that need an approval',
    options: ['ask', 'approve_all', 'reject_all'],
    unset: 'ask',
    hint: 'With approve_all and reject_all nobody is asked. The log still records the question.',
  },
  {
    kind: 'choice',
    path: ['approvals', 'attachments'],
    label: 'Files that a call gives to an agent',
    options: ['allow', 'ask'],
    unset: 'allow',
  },
  {
    kind: 'number',
    path: ['approvals', 'hold_s'],
    label: 'Seconds to wait for an answer before the run is suspended',
    whole: false,
    placeholder: '5, and 60 while it is watched',
    least: 0,
  },
];

const rulesField: ValueField = { kind: 'json', shape: 'any', path: ['approvals', 'rules'], label: 'Rules' };

const ruleFields: readonly ValueField[] = [
  {
    kind: 'strings',
    path: ['tools'],
    label: 'Tools, one on each line',
    hint: 'As the model sees them, such as mail__send or agent__Clerk. * stands for any characters.',
  },
  { kind: 'strings', path: ['agents'], label: 'Only calls of these agents', hint: 'Empty: of every agent.' },
  { kind: 'choice', path: ['effect'], label: 'What happens', options: effects, unset: 'choose' },
];

/** What matters only for rules that ask. */
const askFields: readonly ValueField[] = [
  { kind: 'yes-no', path: ['edit'], label: 'Arguments may be changed', unset: 'yes' },
  {
    kind: 'choice',
    path: ['on_denied'],
    label: 'After a denial',
    options: ['result', 'fail'],
    unset: 'result',
    hint: 'result: the model reads it. fail: the turn of the agent ends.',
  },
  { kind: 'number', path: ['limit_s'], label: 'Limit (s)', whole: true, placeholder: 'none', least: 1 },
  { kind: 'choice', path: ['at_limit'], label: 'At the limit', options: ['deny', 'fail'], unset: 'deny' },
];

/** Edits `approvals` of callboard.yaml: what the project says, and its rules about tools. */
export function ApprovalsForm() {
  const document = useDocument(settingsName);
  const rules = fieldOf(document, rulesField.path);
  const count = Array.isArray(rules) ? rules.length : 0;
  const fields = useMemo(
    () => [
      ...projectFields,
      ...Array.from({ length: count }, (_, index) =>
        [...ruleFields, ...askFields].map((one) => inRule(index, one)),
      ).flat(),
    ],
    [count],
  );
  const place = useSettingsPlace(document, fields);
  const set = projectFields.filter(({ path }) => fieldOf(document, path) !== undefined).length + count;
  return (
    <FoldedGroup title="Approvals" set={set} hint="Which calls of the project wait for a person. In callboard.yaml.">
      {projectFields.map((field) => (
        <ValueFieldInput key={field.path.join('.')} place={place} field={field} />
      ))}
      <Rules place={place} rules={Array.isArray(rules) ? rules : []} />
    </FoldedGroup>
  );
}

function inRule(index: number, field: ValueField): ValueField {
  return below([...rulesField.path, index], field);
}

function useSettingsPlace(document: unknown, fields: readonly ValueField[]): ValuePlace {
  const issues = useProject((state) => state.picture.parsed.issues);
  const folder = useProject((state) => state.document.folder);
  const faults = useMemo(
    () =>
      fieldFaults(
        folder,
        settingsName,
        fields.map(({ path }) => path),
        issues,
      ),
    [folder, fields, issues],
  );
  return { file: settingsName, owner: 'the project', document, faults };
}

function Rules({ place, rules }: { readonly place: ValuePlace; readonly rules: readonly unknown[] }) {
  const { path, value, fault, edit } = useField(place, rulesField);
  const list = useRef<HTMLOListElement>(null);
  // A moved rule is shown elsewhere. The same button of it gets the focus, so that the same key moves it on.
  const move = (from: number, to: number) => {
    edit([moveEdit(path, from, to)]);
    const name = to < from ? 'up' : 'down';
    requestAnimationFrame(() => {
      const buttons = list.current?.children[to]?.querySelectorAll<HTMLButtonElement>('button[data-move]') ?? [];
      const wanted = [...buttons].find((each) => each.dataset.move === name && !each.disabled) ?? buttons[0];
      wanted?.focus();
    });
  };
  return (
    <section aria-label="Rules" className="flex flex-col gap-2">
      <h4 className="font-medium text-muted text-xs">Rules about tools</h4>
      {fault !== undefined && <p className="text-bad text-xs">{fault.message}</p>}
      <ol ref={list} className="flex flex-col gap-2">
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name; the place is the identity
          <li key={index} aria-label={`Rule ${index + 1}`} className="flex flex-col gap-3 rounded border p-2">
            <div className="flex items-start gap-1">
              <p className="min-w-0 flex-1 break-words text-ink text-sm">{approvalRuleWords(rule)}</p>
              {rules.length > 1 && (
                <>
                  <IconButton
                    size="sm"
                    label={`Move rule ${index + 1} up`}
                    icon={<ArrowUp aria-hidden />}
                    disabled={index === 0}
                    data-move="up"
                    onClick={() => move(index, index - 1)}
                  />
                  <IconButton
                    size="sm"
                    label={`Move rule ${index + 1} down`}
                    icon={<ArrowDown aria-hidden />}
                    disabled={index === rules.length - 1}
                    data-move="down"
                    onClick={() => move(index, index + 1)}
                  />
                </>
              )}
              <IconButton
                size="sm"
                label={`Remove rule ${index + 1}`}
                icon={<X aria-hidden />}
                onClick={() => edit([{ op: 'remove', path: rules.length > 1 ? [...path, index] : path }])}
              />
            </div>
            {ruleFields.map((field) => (
              <ValueFieldInput key={field.path.join('.')} place={place} field={inRule(index, field)} />
            ))}
            {isAsking(rule) &&
              askFields.map((field) => (
                <ValueFieldInput key={field.path.join('.')} place={place} field={inRule(index, field)} />
              ))}
          </li>
        ))}
      </ol>
      {rules.length > 1 && (
        <p className="text-faint text-xs">The order does not matter: deny wins over ask, and ask over allow.</p>
      )}
      <Button
        size="sm"
        className="self-start"
        icon={<Plus aria-hidden className="size-3.5" />}
        onClick={() => edit([addEdit(path, value, { tools: ['*'], effect: 'ask' })])}
      >
        Add a rule
      </Button>
    </section>
  );
}

function isAsking(rule: unknown): boolean {
  return typeof rule === 'object' && rule !== null && 'effect' in rule && rule.effect === 'ask';
}
