/** The addresses and node ports of services: which there are, and what is wrong with them. */
@NullMarked
package dev.berth.policy.service;

import org.jspecify.annotations.NullMarked;
