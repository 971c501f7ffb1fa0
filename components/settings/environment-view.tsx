import { CircleCheck, CircleDashed } from 'lucide-react';
import { SettingsSection } from './settings-section';

/** A setting with which the process was started. Values of secrets never come here, only whether there is one. */
export interface SettingRow {
  readonly label: string;
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly value: string;
  /** False if nothing is set and the value is a default or missing. `undefined` where that does not matter. */
  readonly isSet?: boolean;
  readonly hint: string;
}

export interface EnvironmentViewProps {
  readonly groups: readonly { readonly title: string; readonly rows: readonly SettingRow[] }[];
  readonly envFile: string;
}

/** The settings with which the process was started, and how to change them. */
export function EnvironmentView({ groups, envFile }: EnvironmentViewProps) {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <section aria-labelledby="how" className="text-muted text-sm">
        <h2 id="how" className="font-medium text-ink text-sm">
          How to change these
        </h2>
        <p className="mt-1">
          They are environment variables, read once at start. Put them in{' '}
          <code className="break-all font-mono text-xs">{envFile}</code> (see{' '}
          <code className="font-mono text-xs">.env.example</code>) or set them for one start, then start Callboard
          again:
        </p>
        <pre className="mt-2 whitespace-pre-wrap break-words rounded-lg border bg-surface px-3 py-2 font-mono text-ink text-xs">
          OPENAI_BASE_URL=http://127.0.0.1:11434/v1 npm start
        </pre>
      </section>
      {groups.map((group) => (
        <SettingsSection key={group.title} title={group.title}>
          <dl className="divide-y">
            {group.rows.map((row) => (
              <Row key={row.variable} row={row} />
            ))}
          </dl>
        </SettingsSection>
      ))}
    </div>
  );
}

function Row({ row }: { readonly row: SettingRow }) {
  return (
    <div className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[1fr_1fr]">
      <dt className="min-w-0">
        <span className="block font-medium text-ink text-sm">{row.label}</span>
        <span className="block text-muted text-xs">{row.hint}</span>
      </dt>
      <dd className="min-w-0 text-sm sm:text-right">
        <span className="inline-flex max-w-full items-center gap-1.5 break-all text-ink">
          {row.isSet === true && <CircleCheck aria-hidden className="size-3.5 shrink-0 text-ok" />}
          {row.isSet === false && <CircleDashed aria-hidden className="size-3.5 shrink-0 text-faint" />}
          {row.value}
        </span>
        <code className="block break-all font-mono text-2xs text-faint">{row.variable}</code>
      </dd>
    </div>
  );
}
