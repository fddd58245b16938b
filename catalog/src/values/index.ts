export { bodyClass, familyBodies, vehicleType } from './bodies.ts';
export { bodyCorrections, nameCorrections, valueCorrections } from './corrections.ts';
export { ENGINE_CONFIGURATIONS, engineCode, engineConfiguration } from './engine.ts';
export { makeName } from './makes.ts';
export { modelName, seriesCode } from './models.ts';
export { isPlant, plantCity, plantCountry, plantsNamed, plantState } from './plants.ts';
export { driveType, fuelType, transmission } from './powertrain.ts';
export { ownerOfTrim, trimBadge, trimExceptions, trimName } from './trims.ts';
export { DRIVE_TYPES, FUEL_TYPES, TRANSMISSIONS, VEHICLE_TYPES } from './vocabulary.ts';
