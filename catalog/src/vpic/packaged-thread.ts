import { packagedVpic } from './packaged.ts';

// Compiles the npm package's vPIC tables where they are not kept yet, so that the thread that reads the facts finds
// them there.
packagedVpic();
