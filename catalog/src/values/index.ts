export { bodyClass, vehicleType, type BodyClass } from './bodies.ts';
export { engineConfiguration, engineLine, type EngineConfiguration, type EngineFacts } from './engine.ts';
export { makeName } from './makes.ts';
export { modelName, seriesCode, type ModelName, type RegistryModel } from './models.ts';
export { plantCity, plantCountry, plantState } from './plants.ts';
export { driveType, fuelType, transmission } from './powertrain.ts';
export { trimBadge, trimName, type RegistryTrim } from './trims.ts';
export {
  DRIVE_TYPES,
  FUEL_TYPES,
  TRANSMISSIONS,
  VEHICLE_TYPES,
  type DriveType,
  type FuelType,
  type Transmission,
  type VehicleType,
} from './vocabulary.ts';
