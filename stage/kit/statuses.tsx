import { FailedBadge } from '@/components/run/failed-badge';
import { Badge, KindBadge } from '@/components/ui/badge';
import { Keys } from '@/components/ui/kbd';
import { Progress, Skeleton } from '@/components/ui/progress';
import { StatusLabel } from '@/components/ui/status';
import { Row } from './section';

const statuses = ['queued', 'running', 'suspended', 'completed', 'failed', 'cancelled', 'timeout', 'lost'] as const;
const looks = ['badge', 'plain', 'icon'] as const;
const tones = [
  'neutral',
  'accent',
  'ok',
  'bad',
  'warn',
  'busy',
  'agent',
  'server',
  'function',
  'builtin',
  'hook',
  'model',
  'queued',
] as const;
const kinds = ['agent', 'server', 'function', 'builtin', 'hook'] as const;

export function Statuses() {
  return (
    <>
      {looks.map((look) => (
        <Row key={look} name={`Status, ${look}`}>
          {statuses.map((status) => (
            <StatusLabel key={status} status={status} look={look} />
          ))}
        </Row>
      ))}
      <Row name="Badge">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <FailedBadge failed={[{ message: "Server 'files' did not start." }]} />
      </Row>
      <Row name="Kind">
        {kinds.map((kind) => (
          <KindBadge key={kind} kind={kind} />
        ))}
      </Row>
      <Row name="Keys">
        <Keys keys="Mod+Shift+Z" />
        <Keys keys="Delete" />
      </Row>
      <Row name="Progress">
        <div className="flex w-64 flex-col gap-3">
          <Progress label="Not known how long" value={undefined} />
          <Progress label="A third" value={0.33} />
          <Progress label="Done" value={1} />
          <Skeleton className="h-8" />
        </div>
      </Row>
    </>
  );
}
