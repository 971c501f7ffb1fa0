import type { Metadata } from 'next';
import { listProjects } from '@/lib/server/projects';
import { listSamples } from '@/lib/server/samples';
import { ProjectsClient } from './projects-client';

export const metadata: Metadata = { title: 'Projects' };

export default async function ProjectsPage() {
  const [projects, samples] = await Promise.all([listProjects(), listSamples()]);
  return <ProjectsClient projects={projects} samples={samples} />;
}
