/**
 * As much of D-Bus as the agent needs to talk to the machine's system manager and login manager:
 * calls, signals, and descriptors in answers.
 */
@NullMarked
package dev.berth.agent.dbus;

import org.jspecify.annotations.NullMarked;
