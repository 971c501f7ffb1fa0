import { X } from 'lucide-react';
import { IconButton } from '@/components/ui/icon-button';
import { DraftInput } from './draft-input';
import { FieldNote } from './field-note';

/** The name of an entry of a list, and the button that removes it. */
export function EntryHead(props: {
  readonly name: string;
  /** Called with another name that is not empty. */
  readonly onRename: (name: string) => void;
  readonly onRemove: () => void;
}) {
  const { name, onRename, onRemove } = props;
  return (
    <div className="flex items-end gap-1">
      <div className="min-w-0 flex-1">
        <FieldNote label="Name" fault={undefined}>
          {(ids) => (
            <DraftInput
              {...ids}
              late
              value={name}
              onCommit={(text) => {
                const next = text.trim();
                if (next !== '' && next !== name) onRename(next);
              }}
            />
          )}
        </FieldNote>
      </div>
      <IconButton size="sm" label={`Remove ${name}`} icon={<X aria-hidden />} onClick={onRemove} />
    </div>
  );
}
