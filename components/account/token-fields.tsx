import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { longestTokenDays, usualTokenDays } from '@/lib/base/token-request';
import { installationScopes, scopesToChoose, scopeWords } from './scope-words';
import type { ProjectName, TokenChoice } from './token-types';

const everyProject = '*';
const never = 'never';
const lifetimes = [7, 30, usualTokenDays, 180, longestTokenDays];

export interface TokenFieldsProps {
  readonly choice: TokenChoice;
  readonly projects: readonly ProjectName[];
  readonly isAdministrator: boolean;
  readonly onChange: (choice: TokenChoice) => void;
}

/** Chooses what a token may do, in which project, and for how long. */
export function TokenFields({ choice, projects, isAdministrator, onChange }: TokenFieldsProps) {
  const { scopes, project, days } = choice;
  return (
    <>
      <fieldset className="flex flex-col">
        <legend className="mb-1 font-medium text-muted text-xs">What it may do</legend>
        {scopesToChoose(isAdministrator, project !== null).map((scope) => {
          const { name, may } = scopeWords[scope];
          const has = scopes.includes(scope);
          return (
            // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control
            <label key={scope} className="-ml-2 flex cursor-pointer items-start gap-1">
              <Checkbox
                label={`${name}: ${may}`}
                checked={has}
                onToggle={() =>
                  onChange({ ...choice, scopes: has ? scopes.filter((each) => each !== scope) : [...scopes, scope] })
                }
              />
              <span aria-hidden className="mt-1.5 min-w-0 text-ink text-sm">
                {name} <span className="text-muted">· {may}</span>
              </span>
            </label>
          );
        })}
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Project">
          {({ id }) => (
            <Select
              id={id}
              value={project ?? everyProject}
              onValueChange={(value) => {
                const isOne = value !== everyProject;
                const kept = isOne ? scopes.filter((scope) => !installationScopes.includes(scope)) : scopes;
                onChange({ ...choice, project: isOne ? value : null, scopes: kept });
              }}
              options={[
                { value: everyProject, label: 'Every project of mine' },
                ...projects.map((each) => ({ value: each.id, label: each.name })),
              ]}
            />
          )}
        </Field>
        <Field label="Expires" hint={days === null ? 'It stays valid until somebody revokes it.' : undefined}>
          {(field) => (
            <Select
              {...field}
              value={days === null ? never : `${days}`}
              onValueChange={(value) => onChange({ ...choice, days: value === never ? null : Number(value) })}
              options={[
                ...lifetimes.map((each) => ({ value: `${each}`, label: `In ${each} days` })),
                { value: never, label: 'Never' },
              ]}
            />
          )}
        </Field>
      </div>
    </>
  );
}
