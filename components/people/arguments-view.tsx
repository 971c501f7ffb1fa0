'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { VisibleText } from '@/components/ui/visible-text';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';

/** Shows arguments as a list, or as JSON. */
export function ArgumentsView({ title, value }: { readonly title: string; readonly value: Json | undefined }) {
  const [asJson, setAsJson] = useState(false);
  if (value === undefined) return null;
  const args = isObject(value) && Object.keys(value).length > 0 ? value : undefined;
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 font-medium text-muted text-xs">{title}</h3>
        {args !== undefined && (
          <Button size="sm" variant="ghost" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
            JSON
          </Button>
        )}
      </div>
      {args === undefined || asJson ? (
        <pre className="overflow-auto whitespace-pre-wrap break-words rounded border bg-sunken p-2 font-mono text-ink text-xs">
          <VisibleText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
        </pre>
      ) : (
        <dl className="flex flex-col divide-y rounded border bg-surface">
          {Object.entries(args).map(([name, one]) => (
            <div key={name} className="grid gap-x-3 px-2.5 py-1.5 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
              <dt className="break-all font-mono text-muted text-xs sm:leading-5">
                <VisibleText text={name} />
              </dt>
              <dd className="whitespace-pre-wrap break-words text-ink">
                {typeof one === 'string' ? (
                  <VisibleText text={one} />
                ) : (
                  <code className="text-xs">
                    <VisibleText text={JSON.stringify(one, null, 2)} dir="ltr" />
                  </code>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}
