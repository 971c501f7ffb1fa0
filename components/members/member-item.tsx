import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Select } from '@/components/ui/select';
import { VisibleText } from '@/components/ui/visible-text';
import { type Role, roles } from '@/lib/base/rights';
import type { ShownMember } from './member-types';
import { roleOptions } from './role-words';

export interface MemberItemProps {
  readonly member: ShownMember;
  readonly isSelf: boolean;
  /** `undefined` if the person who looks may not change it. */
  readonly onChange: ((given: { readonly role: Role; readonly answers: boolean }) => void) | undefined;
  readonly onRemove: () => void;
}

/** A person with the role, which those who may change it choose here. */
export function MemberItem({ member, isSelf, onChange, onRemove }: MemberItemProps) {
  const { name, email, role, answers, isDeactivated } = member;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <p className="min-w-0 flex-1 basis-48 break-words text-ink text-sm">
        <VisibleText text={name} />
        {isSelf && <span className="text-muted"> (you)</span>} {isDeactivated && <Badge tone="warn">deactivated</Badge>}
        <span className="block text-muted text-xs">{email}</span>
      </p>
      {onChange === undefined ? (
        <p className="text-muted text-sm">
          {role}
          {answers && ', answers questions'}
        </p>
      ) : (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="w-28">
            <Select
              aria-label={`Role of ${name}`}
              size="sm"
              value={role}
              onValueChange={(value) => {
                const next = roles.find((each) => each === value);
                if (next !== undefined) onChange({ role: next, answers });
              }}
              options={roleOptions}
            />
          </span>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control */}
          <label className="-ml-2 flex cursor-pointer items-center">
            <Checkbox
              label={`${name} answers questions`}
              checked={answers}
              onToggle={() => onChange({ role, answers: !answers })}
            />
            <span aria-hidden className="text-muted text-xs">
              Answers questions
            </span>
          </label>
          <Button size="sm" aria-label={isSelf ? 'Leave this project' : `Remove ${name}`} onClick={onRemove}>
            {isSelf ? 'Leave' : 'Remove'}
          </Button>
        </span>
      )}
    </li>
  );
}
