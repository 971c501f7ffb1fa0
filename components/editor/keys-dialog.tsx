'use client';

import { Dialog } from '@/components/ui/dialog';
import { Keys } from '@/components/ui/kbd';
import { keyGroups } from './keys';

export function KeysDialog(props: { readonly open: boolean; readonly onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Keys" width="md">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {keyGroups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h3 className="mb-1 text-xs font-medium text-muted">{group.title}</h3>
            <dl>
              {group.keys.map(([keys, what]) => (
                <div key={keys} className="flex items-center justify-between gap-3 py-0.5 text-sm">
                  <dt>{what}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
