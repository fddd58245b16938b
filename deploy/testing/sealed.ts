import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The surroundings that a container gives the programs of an image. */
export interface Sealing {
  /** The image's file system; some empty folders are added to it. */
  root: string;
  /** Folders that may be written to, by where the image has them. */
  volumes: Readonly<Record<string, string>>;
  /** Number of the user. */
  user: string;
  folder: string;
}

/** The machine's own C library replaces that of the image's base. */
const LIBRARY_FOLDERS = ['/usr/lib', '/usr/lib64', '/lib', '/lib64'];
const DEVICES = ['/dev/null', '/dev/urandom'];

/** Returns true if this machine lets anybody have a file system of their own, as most Linux machines do. */
export function canSeal(): boolean {
  const probe = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', 'mount -t tmpfs none /mnt'];
  return process.platform === 'linux' && spawnSync('unshare', probe).status === 0;
}

/**
 * Returns the command that runs another one inside a sealed image, as a container engine would: its root is the image
 * and read-only, its user is not root, and of the machine it sees only the C library and the network.
 */
export function sealed({ root, volumes, user, folder }: Sealing, command: readonly string[]): string[] {
  const mounts: string[] = [];
  const bind = (from: string, to: string): void => void mounts.push(`mount --rbind '${from}' '${join(root, to)}'`);
  for (const library of LIBRARY_FOLDERS.filter((path) => existsSync(path))) {
    if (lstatSync(library).isSymbolicLink()) linkOnce(readlinkSync(library), join(root, library));
    else {
      mkdirSync(join(root, library), { recursive: true });
      bind(library, library);
    }
  }
  mkdirSync(join(root, 'dev'), { recursive: true });
  for (const device of DEVICES) {
    if (!existsSync(join(root, device))) writeFileSync(join(root, device), '');
    bind(device, device);
  }
  mkdirSync(join(root, 'proc'), { recursive: true });
  bind('/proc', '/proc');
  for (const [path, from] of Object.entries(volumes)) bind(from, path);
  const unshare = execFileSync('which', ['unshare'], { encoding: 'utf8' }).trim();
  const script = [
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    `mount --bind '${root}' '${root}'`,
    ...mounts,
    `mount -o remount,bind,ro,nosuid,nodev '${root}'`,
    'PATH=$image_path',
    `exec '${unshare}' --user --map-user=${user} --map-group=${user} --root='${root}' --wd='${folder}' -- "$@"`,
  ];
  const shell = ['/bin/sh', '-euc', ['image_path=$PATH', ...script].join('\n'), 'sealed'];
  return [unshare, '--user', '--map-root-user', '--mount', '--', ...shell, ...command];
}

function linkOnce(target: string, path: string): void {
  if (!existsSync(path)) symlinkSync(target, path);
}
