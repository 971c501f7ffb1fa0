'use client';

import { FilePlus, FileText } from 'lucide-react';
import { useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { PickOne } from '@/components/ui/picker';
import { Select } from '@/components/ui/select';
import { toolHookPhases } from '@/lib/cards/card';
import { type ChainEntry, defaultHookTimeoutMs } from '@/lib/graph/hook-chain';
import { hookFunctions } from '@/lib/graph/hook-functions';
import { effectOf, phaseWords } from '@/lib/graph/hook-words';
import { HookParameters } from './hook-parameters';
import { NumberInput } from './number-input';
import { Toggle } from './toggle';
import { UsedBy } from './used-by';

/** The settings of one hook: its effect in words, its code or parameters, its policy. */
export function HookDetails({ file, entry }: { readonly file: string; readonly entry: ChainEntry }) {
  const commands = useCommands();
  return (
    <div className="flex min-w-0 flex-col gap-3 py-1">
      <Toggle
        label="On"
        checked={!entry.off}
        note={effectOf(entry)}
        onChange={(on) => commands.setHookOff(file, entry.id, !on)}
      />
      {entry.origin === 'run' ? (
        <p className="text-warn text-xs">A hook of the run: changes here count for every agent.</p>
      ) : null}
      {entry.kind === 'code' ? (
        <>
          <CodeField file={file} entry={entry} />
          {entry.phase === 'around' ? null : <PhaseField file={file} entry={entry} phase={entry.phase} />}
          <PolicyFields file={file} entry={entry} />
        </>
      ) : (
        <HookParameters file={file} entry={entry} kind={entry.kind} />
      )}
      <div className="flex flex-wrap gap-2">
        {entry.missing ? (
          <Button
            size="sm"
            variant="primary"
            icon={<FilePlus aria-hidden className="size-3.5" />}
            onClick={() => commands.createHookCode(file, entry.id)}
          >
            Create {entry.functionName}
          </Button>
        ) : (
          <Button
            size="sm"
            icon={<FileText aria-hidden className="size-3.5" />}
            onClick={() => commands.openHook(file, entry.id)}
          >
            {entry.kind === 'code' ? 'Open code' : 'Open text'}
          </Button>
        )}
      </div>
      {entry.missing ? null : (
        <UsedBy kind="hook" name={entry.kind === 'code' ? `${entry.file}:${entry.functionName}` : entry.kind} />
      )}
    </div>
  );
}

interface EntryProps {
  readonly file: string;
  readonly entry: ChainEntry;
}

/** Chooses the function among those of the project that fit. */
function CodeField({ file, entry }: EntryProps) {
  const commands = useCommands();
  const folder = useProject((state) => state.document.folder);
  const codes = new Map(
    hookFunctions(folder, entry.phase === 'around' ? 'around' : 'phase').map((code) => [
      `${code.file}:${code.functionName}`,
      code,
    ]),
  );
  const value = `${entry.file}:${entry.functionName}`;
  const options = [...codes].map(([spec, code]) => ({ value: spec, label: code.functionName, note: code.file }));
  // A function about which the text says too little is still the one that is named.
  if (!codes.has(value) && !entry.missing) options.push({ value, label: entry.functionName, note: entry.file });
  return (
    <Field label="Function" hint={<span className="break-all font-mono">{entry.spec}</span>}>
      {(ids) => (
        <PickOne
          {...ids}
          label="Function"
          size="sm"
          value={value}
          options={options}
          onChange={(spec) => {
            const code = codes.get(spec ?? '');
            if (code !== undefined) commands.setHookCode(file, entry.id, code);
          }}
        />
      )}
    </Field>
  );
}

function PhaseField({ file, entry, phase }: EntryProps & { readonly phase: Exclude<ChainEntry['phase'], 'around'> }) {
  const commands = useCommands();
  const phases = ['on_start', ...toolHookPhases, 'on_shutdown'] as const;
  return (
    <Field label="Phase">
      {(ids) => (
        <Select
          {...ids}
          size="sm"
          value={phase}
          options={phases.map((one) => ({ value: one, label: phaseWords[one], hint: one }))}
          onValueChange={(value) => {
            const next = phases.find((one) => one === value);
            if (next !== undefined) commands.setHookPhase(file, entry.id, next);
          }}
        />
      )}
    </Field>
  );
}

function PolicyFields({ file, entry }: EntryProps) {
  const commands = useCommands();
  const [fault, setFault] = useState<string>();
  return (
    <div className="grid grid-cols-2 gap-2">
      <Field label="If it fails">
        {(ids) => (
          <Select
            {...ids}
            size="sm"
            value={entry.policy.on_error ?? 'fail'}
            options={[
              { value: 'fail', label: 'Fail', hint: 'default' },
              { value: 'skip', label: 'Skip the hook' },
            ]}
            onValueChange={(value) =>
              commands.setHookPolicy(file, entry.id, 'on_error', value === 'skip' ? 'skip' : undefined)
            }
          />
        )}
      </Field>
      <Field label="Time limit, ms" error={fault}>
        {(ids) => (
          <NumberInput
            {...ids}
            value={entry.policy.timeout_ms}
            placeholder={`${defaultHookTimeoutMs}`}
            limits={{ least: 1, whole: true }}
            onChange={(value) => commands.setHookPolicy(file, entry.id, 'timeout_ms', value)}
            onFault={setFault}
          />
        )}
      </Field>
    </div>
  );
}
