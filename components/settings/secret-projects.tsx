import { X } from 'lucide-react';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';

export interface NamedProject {
  readonly id: string;
  readonly name: string;
}

/** Returns the name of a project that a secret names. */
export function nameOfProject(projects: readonly NamedProject[], id: string): string {
  return projects.find((each) => each.id === id)?.name ?? 'a deleted project';
}

interface SecretProjectsProps {
  readonly projects: readonly NamedProject[];
  readonly chosen: readonly string[];
  /** True if hosts or projects are needed. */
  readonly isBound: boolean;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses the projects that may use a secret of the installation. */
export function SecretProjects({ projects, chosen, isBound, onChange }: SecretProjectsProps) {
  const left = projects.filter(({ id }) => !chosen.includes(id));
  return (
    <Field
      label={isBound ? 'Only in projects (needed, or hosts)' : 'Only in projects (optional)'}
      hint="Empty: in every project."
    >
      {(ids) => (
        <div className="flex flex-col gap-2">
          {chosen.length > 0 && (
            <ul className="flex flex-wrap gap-1.5">
              {chosen.map((id) => (
                <Chosen
                  key={id}
                  name={nameOfProject(projects, id)}
                  onRemove={() => onChange(chosen.filter((each) => each !== id))}
                />
              ))}
            </ul>
          )}
          <Select
            {...ids}
            value={undefined}
            placeholder={chosen.length === 0 ? 'Every project' : 'Add a project'}
            disabled={left.length === 0}
            onValueChange={(id) => onChange([...chosen, id])}
            options={left.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      )}
    </Field>
  );
}

function Chosen({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return (
    <li className="flex min-w-0 items-center gap-1 rounded border bg-raised py-0.5 pr-1 pl-2 text-ink text-xs">
      <span className="truncate">{name}</span>
      <button
        type="button"
        aria-label={`Remove ${name}`}
        className="rounded p-0.5 text-muted hover:text-ink"
        onClick={onRemove}
      >
        <X aria-hidden className="size-3" />
      </button>
    </li>
  );
}
